use super::{Project, project};

fn reads(text: &str, name: &str, inputs: &[&str], includes: &[&str]) {
    let Project { name: named, inputs: files, includes: others } = project(text).expect(text);
    let files: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!((named.as_str(), &files[..], others), (name, inputs, own(includes)), "{text}");
}

fn own(all: &[&str]) -> Vec<String> {
    all.iter().map(|s| (*s).to_owned()).collect()
}

/// `place message` of what is wrong.
fn says(text: &str, expect: &str) {
    let error = project(text).unwrap_err();
    assert_eq!(error.code, crate::codes::PROJECT);
    assert_eq!(format!("{} {}", error.primary.span.start, error.message), expect, "{text}");
}

const HEAD: &str = "<Project><ProjectName>N</ProjectName>";

#[test]
fn projects_are_read_in_order() {
    reads(
        "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- <Project> -->\r\n<Project>\r\n<ProjectName> Two Phase </ProjectName>
        <InputFiles>\n<PFile>./PSrc/</PFile><PFile>a.p</PFile></InputFiles>
        <OutputDir>./PGenerated/</OutputDir>
        <IncludeProject>../Timer.pproj</IncludeProject><IncludeProject>b.pproj</IncludeProject>\n</Project>\n",
        "Two Phase",
        &["./PSrc/", "a.p"],
        &["../Timer.pproj", "b.pproj"],
    );
}

#[test]
fn several_lists_of_files_add_up() {
    let text = "<Project><InputFiles><PFile>a</PFile></InputFiles><ProjectName>N</ProjectName><InputFiles><PFile>b</PFile></InputFiles></Project>";
    reads(text, "N", &["a", "b"], &[]);
}

#[test]
fn texts_have_entities_and_literal_parts() {
    let files = "<InputFiles><PFile>a&amp;b&lt;&#65;&#x42;&gt;&quot;&apos;</PFile><PFile><![CDATA[c<&d]]></PFile></InputFiles></Project>";
    reads(&format!("{HEAD}{files}"), "N", &["a&b<AB>\"'", "c<&d"], &[]);
}

#[test]
fn attributes_and_other_elements_are_skipped() {
    let files = "<InputFiles x='>' y=\"/>\"><PFile z=\"1\">a</PFile><PFile/><Other>b</Other></InputFiles><PFile>c</PFile><Target/></Project>";
    reads(&format!("{HEAD}{files}"), "N", &["a"], &[]);
}

#[test]
fn comments_split_no_text() {
    let files = "<InputFiles><PFile>a<!-- x -->b</PFile></InputFiles></Project>";
    reads(&format!("{HEAD}{files}"), "N", &["ab"], &[]);
}

#[test]
fn what_is_missing_is_reported() {
    says("", "0 the project has no name");
    says(" <Project></Project>", "1 the project has no name");
    says(&format!("{HEAD}</Project>"), "0 the project names no files");
    says(
        &format!("{HEAD}<InputFiles><PFile> </PFile></InputFiles></Project>"),
        "0 the project names no files",
    );
}

#[test]
fn broken_elements_are_reported() {
    says("<Project>", "0 `<Project>` is never closed");
    says("<Project><A></Project>", "12 `</Project>` stands where `</A>` is expected");
    says("<A></A></B>", "7 `</B>` closes nothing");
    says("<A></A><B></B>", "7 `<B>` stands after the end of the project");
    says("<A></A>text", "7 `text` stands outside of the project");
    says("<A", "0 `<A` does not end");
    says("<A x=\">", "0 `<A` does not end");
    says("<A <B>", "0 `<A` does not end");
    says("<A>< </A>", "3 `<` begins no element");
}

#[test]
fn broken_texts_are_reported() {
    says("<A>x & y</A>", "5 `&` begins no entity that is known");
    says("<A>x &nbsp; y</A>", "5 `&` begins no entity that is known");
    says("<A>&#xD800;</A>", "3 `&` begins no entity that is known");
    says("<A><!-- x", "3 this comment does not end");
    says("<A><![CDATA[ x", "3 this text does not end");
    says("<?xml", "0 this instruction does not end");
    says("<!DOCTYPE", "0 this declaration does not end");
}

#[test]
fn every_beginning_is_read() {
    let text = format!(
        "\u{feff}<?x?><!-- é -->{HEAD}<InputFiles é='ü'><PFile>é&amp;<![CDATA[ö]]></PFile></InputFiles></Project>"
    );
    assert!(project(&text).is_ok());
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        assert!(project(&text[..end]).is_err(), "{}", &text[..end]);
    }
}
