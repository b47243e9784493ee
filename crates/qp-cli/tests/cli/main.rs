//! The binary as users and scripts meet it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is right")]

mod bounds;
mod cluster;
mod compare;
mod exchange;
mod exit_codes;
mod flow;
mod formats;
mod garbage;
mod infinite;
mod interrupt;
mod json;
mod kept_files;
mod limits;
mod lists;
mod looks;
mod monsters;
mod p;
mod p_files;
mod p_told;
mod pages;
mod place;
mod possible;
mod promela;
mod reach;
mod reports;
mod schemas;
mod searches;
mod sends;
mod trails;
mod translate;
mod vacuity;
