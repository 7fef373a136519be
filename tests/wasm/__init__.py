"""The kernel's module for browsers, run by Deno, beside the native kernel."""
