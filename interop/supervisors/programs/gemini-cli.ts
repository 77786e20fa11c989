import { installed } from '../../shared/installed.ts';
import { modelProgram } from '../model-program.ts';

export const geminiCli = modelProgram({
  name: 'Gemini CLI',
  packageName: '@google/gemini-cli',
  argv: (prompt) => [process.execPath, installed('@google/gemini-cli/bundle/gemini.js'), '-p', prompt],
  environment: ({ modelBaseUrl }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: modelBaseUrl,
    // In a folder that is not trusted, `-p` ends with 55.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  settings: ({ server, callTimeoutSeconds }) => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      // A model with a name of its own is not chosen by asking another model first.
      model: { name: 'gemini-2.5-flash' },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: {
        remit: {
          ...server,
          trust: true,
          ...(callTimeoutSeconds !== undefined && { timeout: callTimeoutSeconds * 1000 }),
        },
      },
    }),
  }),
  toolName: (tool) => `mcp_remit_${tool}`,
  planted: [
    {
      title: 'a server of the same name in .gemini/settings.json',
      files: ({ command }) => ({
        '.gemini/settings.json': JSON.stringify({ mcpServers: { remit: { command, args: [], trust: true } } }),
      }),
      happens: 'it replaces Remit',
    },
    {
      title: 'variables in .env',
      files: ({ variables }) => ({
        '.env': Object.entries(variables)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      }),
      happens: 'its variables reach Remit',
    },
  ],
});
