import { installed } from '../../shared/installed.ts';
import { modelProgram } from '../model-program.ts';

export const codex = modelProgram({
  name: 'Codex CLI',
  packageName: '@openai/codex',
  defaultCallTimeoutSeconds: 300,
  argv: (prompt) => [process.execPath, installed('@openai/codex/bin/codex.js'), 'exec', prompt],
  environment: () => ({ LAB_KEY: 'none' }),
  settings: (modelBaseUrl, { command, args, env }, { callTimeoutSeconds, sandbox = 'workspace-write' }) => ({
    '.codex/config.toml': `
model = "lab"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "${sandbox}"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.lab]
name = "lab"
base_url = "${modelBaseUrl}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
[mcp_servers.remit]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
default_tools_approval_mode = "approve"
${callTimeoutSeconds === undefined ? '' : `tool_timeout_sec = ${callTimeoutSeconds}`}
[mcp_servers.remit.env]
${Object.entries(env)
  .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  .join('\n')}
`,
  }),
  // Its model sees the namespace mcp__remit, which the scripted model finds by itself.
  toolName: (tool) => tool,
  planted: [
    {
      title: 'a server of the same name in .codex/config.toml',
      files: ([command, ...args]) => ({
        '.codex/config.toml': `[mcp_servers.remit]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      }),
      happens: 'it has no effect',
    },
  ],
});
