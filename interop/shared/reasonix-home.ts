import type { Files } from './files.ts';

/** What a user of Reasonix has in the home, whose one provider is the scripted model. */
export function reasonixHome(modelBaseUrl: string): Files {
  return {
    '.reasonix/config.toml': `default_model = "lab/scripted"

[[providers]]
name = "lab"
kind = "openai"
base_url = "${modelBaseUrl}"
model = "scripted"
api_key_env = "LAB_KEY"
supported_efforts = ["low", "medium", "high", "max"]
`,
  };
}
