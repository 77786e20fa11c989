import { describe, expect, test } from 'vitest';
import { FAMILIES, familyOf, workerLaunchArguments } from './adapters.ts';
import { ADAPTER_NAMES, type AgentProgram } from './options.ts';

const agent = (...command: string[]): AgentProgram => ({ adapter: 'acp', command });
const REASONIX: AgentProgram = { adapter: 'reasonix', command: ['/opt/reasonix', 'acp'] };

describe('the family of a worker', () => {
  test.each<[string[], keyof typeof FAMILIES]>([
    [['/opt/opencode', 'acp'], 'opencode'],
    [['/usr/bin/node', '/opt/gemini-cli/bundle/gemini.js', '--acp'], 'gemini'],
    [['/usr/bin/npx', '-y', '@zed-industries/codex-acp@0.16.0'], 'codex-acp'],
    [['/usr/bin/npx', '@agentclientprotocol/claude-agent-acp'], 'claude-agent-acp'],
    [['/opt/qwen', '--acp'], 'qwen'],
    [['/opt/reasonix', 'acp'], 'acp'],
    [['/opt/unheard-of'], 'acp'],
  ])('of %j under adapter acp is known by its program', (command, family) => {
    expect(familyOf(agent(...command))).toBe(FAMILIES[family]);
  });

  test('is the one that its adapter names, whatever its program is called', () => {
    for (const adapter of ADAPTER_NAMES) expect(familyOf({ adapter, command: ['/opt/mine'] })).toBe(FAMILIES[adapter]);
  });

  test('asks for no mode of codex-acp where its own pair of sandbox and approval stands', () => {
    const { modes } = FAMILIES['codex-acp'];
    expect(modes('fast', undefined)).toEqual([]);
    expect(modes('fast', 'agent')).toEqual(['read-only']);
  });
});

describe('the arguments of a launch', () => {
  test('keep a Reasonix inside its workspace, offline unless network is given, whatever the user configured', () => {
    const flags = ['--planner=off', '--sandbox-network', 'off', '--workspace-only', '--sandbox-bash', 'auto'];
    expect(workerLaunchArguments(REASONIX, { network: false })).toEqual(['/opt/reasonix', 'acp', ...flags]);
    expect(workerLaunchArguments({ ...REASONIX, command: ['/opt/reasonix'] }, { network: true })).toContain('on');
    expect(workerLaunchArguments({ ...REASONIX, command: ['/opt/reasonix'] }, { network: true })[1]).toBe('acp');
  });

  test('of an agent that needs none are its own', () => {
    expect(workerLaunchArguments(agent('/opt/opencode', 'acp'), { network: false })).toEqual(['/opt/opencode', 'acp']);
  });

  test('make Codex ask, and leave its own sandbox to the box', () => {
    expect(workerLaunchArguments(agent('/opt/codex-acp'), { network: false }).slice(1)).toEqual([
      '-c',
      'approval_policy="untrusted"',
      '-c',
      'sandbox_mode="danger-full-access"',
    ]);
  });
});
