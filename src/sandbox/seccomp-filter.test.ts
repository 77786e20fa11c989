import { describe, expect, test } from 'vitest';
import { seccompFilter } from './seccomp-filter.ts';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
type Processor = keyof typeof AUDIT;

/** Runs the filter as the kernel would (classic BPF), on one system call. */
function verdict(filter: Buffer, audit: number, call: number, argument0 = 0, argument1 = 0): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(audit, 4);
  data.writeUInt32LE(argument0, 16);
  data.writeUInt32LE(argument1, 24);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const operand = filter.readUInt32LE(at * 8 + 4);
    const jump = (met: boolean) => filter.readUInt8(at * 8 + (met ? 2 : 3));
    const code = filter.readUInt16LE(at * 8);
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(accumulator === operand);
    else if (code === 0x35) at += jump(accumulator >= operand);
    else return operand === 0x7fff0000 ? 'allow' : operand === 0x80000000 ? 'kill' : `errno ${operand & 0xffff}`;
  }
  throw new Error('the filter ran past its end');
}

const CALLS = {
  x64: { read: 0, socket: 41, socketpair: 53, ioctl: 16, keyctl: 250, bpf: 321, clone: 56 },
  arm64: { read: 63, socket: 198, socketpair: 199, ioctl: 29, keyctl: 219, bpf: 280, clone: 220 },
} as const;

describe.each(['x64', 'arm64'] as const)('the system call filter of %s', (processor: Processor) => {
  const calls = CALLS[processor];
  const judge = (unixSockets: 'allowed' | 'refused', call: number, first = 0, second = 0) =>
    verdict(seccompFilter(processor, unixSockets) ?? Buffer.of(), AUDIT[processor], call, first, second);

  test.each([
    ['IPv4', 2, 'allow', 'allow'],
    ['IPv6', 10, 'allow', 'allow'],
    ['netlink', 16, 'allow', 'allow'],
    ['Unix', 1, 'allow', 'errno 97'],
    ['packet', 17, 'errno 97', 'errno 97'],
    ['kernel crypto', 38, 'errno 97', 'errno 97'],
    ['virtual machine', 40, 'errno 97', 'errno 97'],
  ])('answers a %s socket as the profile says', (_name, family, whenAllowed, whenRefused) => {
    expect(judge('allowed', calls.socket, family)).toBe(whenAllowed);
    expect(judge('refused', calls.socket, family)).toBe(whenRefused);
  });

  test('lets ordinary calls, pairs of sockets and new namespaces through', () => {
    for (const call of [calls.read, calls.socketpair, calls.clone]) expect(judge('refused', call, 1)).toBe('allow');
    expect(judge('refused', calls.ioctl, 0, 0x5401)).toBe('allow');
  });

  test('refuses io_uring, keyrings, kernel programs, taking open files, and typing into a terminal', () => {
    for (const call of [425, 426, 427]) expect(judge('allowed', call)).toBe('errno 38');
    for (const call of [calls.keyctl, calls.bpf, 438]) expect(judge('allowed', call)).toBe('errno 1');
    expect(judge('allowed', calls.ioctl, 0, 0x5412)).toBe('errno 1');
  });

  test('kills a call of another architecture and refuses the x32 numbers', () => {
    const filter = seccompFilter(processor, 'allowed') ?? Buffer.of();
    expect(verdict(filter, 0x40000003, calls.read)).toBe('kill');
    expect(verdict(filter, AUDIT[processor], 0x40000000 + calls.read)).toBe('errno 38');
  });
});

test('there is no filter for a processor whose numbers are not known', () => {
  expect(seccompFilter('riscv64', 'allowed')).toBeUndefined();
});
