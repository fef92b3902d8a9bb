/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wait statuses as the kernel reported them to a tracer (Linux 6.18), and hostile ones. */
#include <signal.h>

#include "probe/status.h"
#include "tests/unit.h"

static const struct {
	int status;
	struct stop stop;
} recorded[] = {
	{ 0x0000, { STOP_EXITED, 0, 0, 0 } },
	{ 0x0300, { STOP_EXITED, 0, 3, 0 } },
	{ 0xff00, { STOP_EXITED, 0, 255, 0 } },
	{ 0x0009, { STOP_KILLED, SIGKILL, 0, 0 } },
	{ 0x008b, { STOP_KILLED, SIGSEGV, 0, 0 } }, /* with a core dump */
	{ 0xffff, { STOP_CONTINUED, 0, 0, 0 } },
	{ 0x857f, { STOP_SYSCALL, 0, 0, 0 } },
	{ 0x057f, { STOP_SIGNAL, SIGTRAP, 0, 0 } }, /* a real SIGTRAP */
	{ 0x0a7f, { STOP_SIGNAL, SIGUSR1, 0, 0 } },
	{ 0x137f, { STOP_SIGNAL, SIGSTOP, 0, 0 } },
	{ 0x227f, { STOP_SIGNAL, 34, 0, 0 } }, /* a real-time signal */
	{ 0x80137f, { STOP_GROUP, SIGSTOP, 0, 128 } },
	{ 0x80147f, { STOP_GROUP, SIGTSTP, 0, 128 } },
	{ 0x80057f, { STOP_TRAP, 0, 0, 128 } },
	{ 0x01057f, { STOP_FORK, 0, 0, 1 } },
	{ 0x02057f, { STOP_FORK, 0, 0, 2 } },
	{ 0x03057f, { STOP_FORK, 0, 0, 3 } },
	{ 0x04057f, { STOP_EXEC, 0, 0, 4 } },
	{ 0x05057f, { STOP_OTHER_EVENT, 0, 0, 5 } }, /* vfork done */
	{ 0x06057f, { STOP_EXIT, 0, 0, 6 } },
	{ 0x07057f, { STOP_SECCOMP, 0, 0, 7 } },
};

static void test_recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		const struct stop want = recorded[i].stop,
				  got = stop_classify(recorded[i].status);

		if (got.kind != want.kind || got.sig != want.sig || got.code != want.code ||
		    got.event != want.event)
			fail_msg("%#x: kind %d sig %d code %d event %d", recorded[i].status,
				 got.kind, got.sig, got.code, got.event);
	}
}

/* Every status gets some kind, and nothing outside the enum. */
static void test_all(void **state)
{
	(void)state;
	for (int status = 0; status < 0x900000; status += 7) {
		struct stop s = stop_classify(status);

		assert_in_range(s.kind, STOP_EXITED, STOP_UNKNOWN);
	}
}

static void test_describe(void **state)
{
	char buf[64];

	(void)state;
	assert_string_equal(stop_describe(stop_classify(0x0300), buf, sizeof(buf)),
			    "exited with status 3");
	assert_string_equal(stop_describe(stop_classify(9), buf, sizeof(buf)),
			    "was killed by SIGKILL");
	assert_string_equal(stop_describe(stop_classify(40), buf, sizeof(buf)),
			    "was killed by signal 40");
	assert_string_equal(stop_describe(stop_classify(0x80137f), buf, sizeof(buf)),
			    "was stopped by SIGSTOP");
	assert_string_equal(stop_describe(stop_classify(0x0a7f), buf, sizeof(buf)),
			    "got SIGUSR1");
	assert_int_equal(strlen(stop_describe(stop_classify(9), buf, 5)), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
