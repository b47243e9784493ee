//! The binary as users and scripts meet it.

mod exit_codes;
mod formats;
mod garbage;
mod interrupt;
mod json;
mod kept_files;
mod limits;
mod looks;
mod pages;
mod place;
