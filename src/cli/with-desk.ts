import { homedir } from 'node:os';
import { type Desk, openDesk, type SettingFlags } from '../app/index.ts';
import { hostCommand } from './host-command.ts';

/** Opens the desk for one command and closes it afterwards, however that ends. `flags` are by the setting's name, as options have them. */
export async function withDesk<T>(flags: SettingFlags, work: (desk: Desk) => Promise<T>): Promise<T> {
  const sources = { flags, environment: process.env, homeDirectory: homedir() };
  const desk = await openDesk(sources, hostCommand());
  try {
    return await work(desk);
  } finally {
    await desk.close();
  }
}
