import { installed } from '../../shared/installed.ts';
import { modelProgram } from '../model-program.ts';

export const opencode = modelProgram({
  name: 'opencode',
  packageName: 'opencode-ai',
  startsSlowly: true,
  argv: (prompt) => [installed('.bin/opencode'), 'run', prompt],
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  settings: ({ modelBaseUrl, server: { command, args, env }, callTimeoutSeconds }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'lab/lab',
      small_model: 'lab/lab',
      provider: {
        lab: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${modelBaseUrl}/v1`, apiKey: 'none' },
          models: { lab: {} },
        },
      },
      mcp: {
        remit: {
          type: 'local',
          command: [command, ...args],
          environment: env,
          ...(callTimeoutSeconds !== undefined && { timeout: callTimeoutSeconds * 1000 }),
        },
      },
    }),
  }),
  toolName: (tool) => `remit_${tool}`,
  planted: [
    {
      title: 'a server of the same name in opencode.json',
      files: ({ command }) => ({
        // opencode itself adds a `$schema` to a file that has none.
        'opencode.json': JSON.stringify({
          $schema: 'https://opencode.ai/config.json',
          mcp: { remit: { type: 'local', command: [command] } },
        }),
      }),
      happens: 'it replaces Remit',
    },
  ],
});
