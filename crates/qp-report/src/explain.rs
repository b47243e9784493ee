//! The long text of every code, from `docs/errors/`.

/// Code and page, sorted by code; written by `build.rs`.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page of a code, in Markdown. `qp1001` and `1001` are understood as well as `QP1001`.
pub fn explain(code: &str) -> Option<&'static str> {
    let code = code.trim().to_ascii_uppercase();
    let digits = code.strip_prefix("QP").unwrap_or(&code);
    PAGES
        .binary_search_by_key(&digits, |(name, _)| name.strip_prefix("QP").unwrap_or(name))
        .ok()
        .map(|index| PAGES[index].1)
}

/// Every code that has a page, with the title of the page, sorted.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES.iter().map(|(code, page)| (*code, title(page)))
}

/// The first line is `# QP1001: title`.
fn title(page: &'static str) -> &'static str {
    let first = page.lines().next().unwrap_or_default();
    first.split_once(": ").map_or(first, |(_, title)| title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_opens_with_its_code() {
        assert!(codes().count() >= 15);
        for (code, title) in codes() {
            let page = explain(code).unwrap();
            assert_eq!(page.lines().next().unwrap(), format!("# {code}: {title}"));
            let long = page.lines().find(|line| line.chars().count() > 100);
            assert_eq!(long, None, "{code} has a long line");
        }
    }

    #[test]
    fn codes_are_found_however_they_are_typed() {
        assert_eq!(explain("qp1001"), explain("QP1001"));
        assert_eq!(explain(" 1001 "), explain("QP1001"));
        assert!(explain("QP1001").is_some());
        assert_eq!(explain("QP"), None);
        assert_eq!(explain("nonsense"), None);
    }
}
