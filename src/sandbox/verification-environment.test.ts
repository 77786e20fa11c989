import { describe, expect, test } from 'vitest';
import { credentialStores } from './credential-stores.ts';
import { verificationEnvironment } from './index.ts';

describe('the environment of a verification', () => {
  test('is fixed, and holds nothing of the host that was not allowed', () => {
    const host = {
      PATH: '/usr/bin',
      LANG: 'de_CH.UTF-8',
      TZ: 'Europe/Zurich',
      FAKE_TOKEN: 'abc',
      USER: 'u',
      GOPATH: '/go',
    };
    expect(verificationEnvironment(host, ['GOPATH', 'ABSENT'])).toEqual({
      CI: '1',
      GIT_TERMINAL_PROMPT: '0',
      GOPATH: '/go',
      LANG: 'de_CH.UTF-8',
      LOGNAME: 'remit',
      NO_COLOR: '1',
      PATH: '/usr/bin',
      TERM: 'dumb',
      TZ: 'Europe/Zurich',
      USER: 'remit',
    });
  });

  test.each(
    [
      'LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV ENV PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT',
      'GIT_EXTERNAL_DIFF GIT_DIR npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL LESSOPEN PAGER JAVA_TOOL_OPTIONS RUSTC_WRAPPER',
      'BASH_FUNC_ls%% MAKEFLAGS SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS GLIBC_TUNABLES',
    ].flatMap((line) => line.split(' ')),
  )('never holds %s, whatever the allowlist says', (name) => {
    expect(verificationEnvironment({ PATH: '/usr/bin', [name]: 'x' }, [name])).not.toHaveProperty([name]);
  });

  test('cannot be changed in its fixed part, and its PATH has no relative entries', () => {
    const host = { PATH: '.:/usr/bin::node_modules/.bin:/bin', CI: 'false', GIT_TERMINAL_PROMPT: '1' };
    const environment = verificationEnvironment(host, ['CI', 'PATH', 'GIT_TERMINAL_PROMPT']);
    expect(environment).toMatchObject({ CI: '1', GIT_TERMINAL_PROMPT: '0', PATH: '/usr/bin:/bin' });
    expect(verificationEnvironment({ PATH: '.:' }, [])['PATH']).toMatch(/^\/usr\/local\/sbin:/);
  });
});

test('credential stores are absolute paths below the home', () => {
  const stores = credentialStores('/home/u');
  expect(stores).toEqual(
    expect.arrayContaining(['/home/u/.ssh', '/home/u/.aws', '/home/u/.config/gh', '/home/u/.git-credentials']),
  );
  for (const store of stores) expect(store).toMatch(/^\/home\/u\/[^/]/);
});
