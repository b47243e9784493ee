//! The rules by which programs become nets.
