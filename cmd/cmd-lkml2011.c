#include "cmd/cmd.h"
int cmd_lkml2011(int argc, char **argv){(void)argc;(void)argv;return 0;}
