/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child-deny CALL[,CALL...] COMMAND...: run a command under a seccomp filter that refuses the
 * calls with EPERM, as a container may.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 8, SUD = 59 /* PR_SET_SYSCALL_USER_DISPATCH */ };

/* `dispatch` is one prctl(2) only. */
static const struct {
	const char *name;
	int nr;
} calls[] = {
	{ "ptrace", SYS_ptrace },
	{ "seccomp", SYS_seccomp },
	{ "perf_event_open", SYS_perf_event_open },
	{ "pidfd_getfd", 438 },
};

enum { N_CALLS = sizeof(calls) / sizeof(calls[0]) };

static const struct sock_filter refuse = { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM };

int main(int argc, char **argv)
{
	struct sock_filter code[4 * MOST + 8];
	struct sock_fprog prog = { 0, code };
	unsigned short n = 0;

	if (argc < 3)
		return 2;
	code[n++] = (struct sock_filter) { BPF_LD | BPF_W | BPF_ABS, 0, 0,
					   offsetof(struct seccomp_data, nr) };
	for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ",")) {
		if (!strcmp(name, "dispatch")) {
			code[n++] = (struct sock_filter) { BPF_JMP | BPF_JEQ | BPF_K, 0, 4,
							   SYS_prctl };
			code[n++] =
				(struct sock_filter) { BPF_LD | BPF_W | BPF_ABS, 0, 0,
						       offsetof(struct seccomp_data, args) };
			code[n++] =
				(struct sock_filter) { BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SUD };
			code[n++] = refuse;
			code[n++] = (struct sock_filter) { BPF_LD | BPF_W | BPF_ABS, 0, 0,
							   offsetof(struct seccomp_data, nr) };
			continue;
		}
		for (int i = 0; i < N_CALLS && n < 4 * MOST; i++) {
			if (strcmp(calls[i].name, name) != 0)
				continue;
			code[n++] = (struct sock_filter) { BPF_JMP | BPF_JEQ | BPF_K, 0, 1,
							   (unsigned)calls[i].nr };
			code[n++] = refuse;
		}
	}
	code[n++] = (struct sock_filter) { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW };
	prog.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("child-deny");
		return 3;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
