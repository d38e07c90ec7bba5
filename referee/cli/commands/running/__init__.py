"""Commands that run a server or look after one."""
