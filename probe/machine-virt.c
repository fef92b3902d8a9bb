/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtual machines and containers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "probe/machine-facts.h"
#include "probe/sysroot.h"

/* A file that has this text in it stands for this hypervisor. The first row that fits wins. */
static const struct hint {
	const char *path;
	const char *has;
	const char *means;
} hypervisors[] = {
	{ "/sys/hypervisor/type", "xen", "xen" },
	{ "/sys/class/dmi/id/sys_vendor", "QEMU", "qemu" },
	{ "/sys/class/dmi/id/sys_vendor", "VMware", "vmware" },
	{ "/sys/class/dmi/id/sys_vendor", "innotek", "virtualbox" },
	{ "/sys/class/dmi/id/product_name", "VirtualBox", "virtualbox" },
	{ "/sys/class/dmi/id/sys_vendor", "Xen", "xen" },
	{ "/sys/class/dmi/id/sys_vendor", "Parallels", "parallels" },
	{ "/sys/class/dmi/id/product_name", "Parallels", "parallels" },
	{ "/sys/class/dmi/id/sys_vendor", "Apple Virtualization", "apple" },
	{ "/sys/class/dmi/id/product_name", "BHYVE", "bhyve" },
	{ "/sys/class/dmi/id/product_name", "KVM", "kvm" },
	{ "/sys/class/dmi/id/product_name", "Google Compute Engine", "google" },
	{ "/sys/class/dmi/id/product_name", "Virtual Machine", "hyper-v" },
	{ "/proc/device-tree/hypervisor/compatible", "kvm", "kvm" },
	{ "/proc/device-tree/hypervisor/compatible", "xen", "xen" },
	{ "/sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock",
	  "kvm" },
	{ "/sys/devices/system/clocksource/clocksource0/available_clocksource", "hyperv",
	  "hyper-v" },
	{ "/sys/devices/system/clocksource/clocksource0/available_clocksource", "xen", "xen" },
};

static const struct hint containers[] = {
	{ "/run/systemd/container", "", NULL }, /* NULL: what the file says */
	{ "/run/.containerenv", "", "podman" },
	{ "/.dockerenv", "", "docker" },
	{ "/proc/1/environ", "container=lxc", "lxc" },
	{ "/proc/1/environ", "container=podman", "podman" },
	{ "/proc/1/cgroup", "kubepods", "kubernetes" },
	{ "/proc/1/cgroup", "docker", "docker" },
	{ "/proc/1/cgroup", "libpod", "podman" },
	{ "/proc/1/cgroup", "/lxc", "lxc" },
	{ "/proc/1/cgroup", "containerd", "containerd" },
};

/* The caller frees it. NULL: no row fits. */
static char *first_hint(const char *root, const struct hint *hint, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *text = sysroot_read(root, "%s", hint[i].path);

		if (text && strstr(text, hint[i].has)) {
			char *means = xstrdup(hint[i].means ? hint[i].means : text);

			free(text);
			return means;
		}
		free(text);
	}
	return NULL;
}

/* "flags" has "hypervisor" on x86: CPUID leaf 1, ECX bit 31. */
static bool has_flag(const char *flags, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *at = flags; (at = strstr(at, flag)); at += n)
		if ((at == flags || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

void fact_virtualisation(const struct source *s, struct fact *f)
{
	const char *at = s->cpuinfo;
	char *flags = at ? cpuinfo_next(&at, "flags") : NULL;
	bool flagged = flags && has_flag(flags, "hypervisor");
	char *name = NULL;

	/* x86 without the flag is bare metal, whatever its vendor's name is. */
	if (!flags || flagged)
		name = first_hint(s->root, hypervisors,
				  sizeof(hypervisors) / sizeof(hypervisors[0]));
	if (name)
		fact_text(f, name);
	else if (flagged)
		fact_text(f, xstrdup("unknown hypervisor"));
	else if (flags || sysroot_exists(s->root, "/sys/class/dmi/id") ||
		 sysroot_exists(s->root, "/proc/device-tree"))
		fact_text(f, xstrdup("none"));
	else
		fact_unknown(f, "neither CPU flags nor DMI nor a device tree");
	free(flags);
}

/*
 * The first PID and cgroup namespaces have fixed numbers (include/linux/proc_ns.h,
 * PROC_PID_INIT_INO and PROC_CGROUP_INIT_INO). A container has one of its own at least;
 * an image that was booted as a virtual machine keeps its marker files and has neither.
 */
static bool in_first_namespaces(const char *root)
{
	char *pid = sysroot_link(root, "/proc/self/ns/pid");
	char *cgroup = sysroot_link(root, "/proc/self/ns/cgroup");
	bool first = pid && cgroup && !strcmp(pid, "pid:[4026531836]") &&
		     !strcmp(cgroup, "cgroup:[4026531835]");

	free(pid);
	free(cgroup);
	return first;
}

void fact_container(const struct source *s, struct fact *f)
{
	char *name = NULL;

	if (!in_first_namespaces(s->root))
		name = first_hint(s->root, containers,
				  sizeof(containers) / sizeof(containers[0]));
	fact_text(f, name ? name : xstrdup("none"));
}
