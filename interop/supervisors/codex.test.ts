import { codex } from './programs/codex.ts';
import { describeSupervisor } from './scenarios.ts';

describeSupervisor(codex);
