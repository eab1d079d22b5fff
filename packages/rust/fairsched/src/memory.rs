// SPDX-License-Identifier: MIT OR Unlicense
//! The memory that the library works in. Nothing here calls C, so Miri can run it.
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// Memory aligned to 16 bytes, which stays where it is.
pub(crate) struct Memory(Box<[MaybeUninit<u128>]>);

impl Memory {
    /// None if there is not enough: a size comes from the caller's numbers.
    pub(crate) fn new(bytes: usize) -> Option<Memory> {
        let length = bytes.div_ceil(16);
        let mut units = Vec::new();
        units.try_reserve_exact(length).ok()?;
        // SAFETY: there is room, and each unit may be uninitialized.
        unsafe { units.set_len(length) };
        Some(Memory(units.into_boxed_slice()))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * 16
    }

    pub(crate) fn pointer(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    pub(crate) fn const_pointer(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn too_much_is_none() {
        for bytes in [usize::MAX, isize::MAX as usize] {
            assert!(Memory::new(bytes).is_none());
        }
    }

    #[test]
    fn all_of_it_can_be_written() {
        for bytes in [0, 1, 16, 17, 1000] {
            let mut memory = Memory::new(bytes).unwrap();
            assert!(memory.bytes() >= bytes && memory.bytes() < bytes + 16);
            assert_eq!(memory.pointer() as usize % 16, 0);
            // SAFETY: it is as large as it says.
            unsafe { memory.pointer().write_bytes(7, memory.bytes()) };
            let moved = memory;
            for i in 0..moved.bytes() {
                // SAFETY: all bytes were written.
                assert_eq!(unsafe { *moved.const_pointer().cast::<u8>().add(i) }, 7);
            }
        }
    }
}
