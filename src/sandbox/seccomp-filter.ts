/**
 * A seccomp program in classic BPF (linux/filter.h, linux/seccomp.h) for what mounts, namespaces and dropped capabilities
 * leave open: socket families that lead out of the box, and kernel interfaces with a long record of escapes.
 */

interface Architecture {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  /** System call numbers: asm/unistd_64.h, asm-generic/unistd.h. */
  readonly calls: Readonly<Record<CallName, number>>;
}

type CallName = 'socket' | 'ioctl' | RefusedCall;

/** Needed by no build or test that a contract names; each has let programs out of boxes or into other processes. */
type RefusedCall =
  | 'add_key'
  | 'request_key'
  | 'keyctl'
  | 'bpf'
  | 'perf_event_open'
  | 'userfaultfd'
  | 'open_by_handle_at'
  | 'kexec_load'
  | 'kexec_file_load'
  | 'init_module'
  | 'finit_module'
  | 'delete_module'
  // Would take an open file, a worker's protocol stream say, out of another process of the box.
  | 'pidfd_getfd';

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      socket: 41,
      ioctl: 16,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      bpf: 321,
      perf_event_open: 298,
      userfaultfd: 323,
      open_by_handle_at: 304,
      kexec_load: 246,
      kexec_file_load: 320,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      pidfd_getfd: 438,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      socket: 198,
      ioctl: 29,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      bpf: 280,
      perf_event_open: 241,
      userfaultfd: 282,
      open_by_handle_at: 265,
      kexec_load: 104,
      kexec_file_load: 294,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      pidfd_getfd: 438,
    },
  },
};

const IO_URING = [425, 426, 427] as const;
const FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** Requests that type into a terminal (TIOCSTI) or paste into a console (TIOCLINUX): CVE-2017-5226. */
const TERMINAL_INJECTION = [0x5412, 0x541c] as const;
const X32_BIT = 0x40000000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const refuseWith = (errno: number) => 0x00050000 | errno;

/** Offsets in struct seccomp_data; arguments are 64 bits, of which these calls look at the low half. */
const NUMBER = 0;
const AUDIT_ARCH = 4;
const ARGUMENT = [16, 24] as const;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number];

/** The filter's bytes for `bwrap --seccomp`, or `undefined` on a processor for which the numbers are not known. */
export function seccompFilter(architecture: string, unixSockets: 'allowed' | 'refused'): Buffer | undefined {
  const known = ARCHITECTURES[architecture];
  return known === undefined ? undefined : encode(program(known, unixSockets));
}

function program({ audit, calls }: Architecture, unixSockets: 'allowed' | 'refused'): Instruction[] {
  const { socket, ioctl, ...refused } = calls;
  const families = [
    FAMILIES.inet,
    FAMILIES.inet6,
    FAMILIES.netlink,
    ...(unixSockets === 'allowed' ? [FAMILIES.unix] : []),
  ];
  return [
    // Another architecture's numbers (32-bit calls from a 64-bit program) would pass under a wrong meaning.
    [LOAD, 0, 0, AUDIT_ARCH],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, refuseWith(ENOSYS)],
    ...IO_URING.flatMap((call) => whenEqual(call, [[RETURN, 0, 0, refuseWith(ENOSYS)]])),
    ...Object.values(refused).flatMap((call) => whenEqual(call, [[RETURN, 0, 0, refuseWith(EPERM)]])),
    ...whenEqual(socket, [
      [LOAD, 0, 0, ARGUMENT[0]],
      ...families.flatMap((family) => whenEqual(family, [[RETURN, 0, 0, ALLOW]])),
      [RETURN, 0, 0, refuseWith(EAFNOSUPPORT)],
    ]),
    ...whenEqual(ioctl, [
      [LOAD, 0, 0, ARGUMENT[1]],
      ...TERMINAL_INJECTION.flatMap((request) => whenEqual(request, [[RETURN, 0, 0, refuseWith(EPERM)]])),
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, ALLOW],
  ];
}

function whenEqual(value: number, then: readonly Instruction[]): Instruction[] {
  return [[JUMP_IF_EQUAL, 0, then.length, value], ...then];
}

/** struct sock_filter { u16 code; u8 jt; u8 jf; u32 k; }, little-endian on both processors. */
function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, jumpTrue, jumpFalse, operand], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  });
  return bytes;
}
