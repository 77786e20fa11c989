import { opencode } from './programs/opencode.ts';
import { describeSupervisor } from './scenarios.ts';

describeSupervisor(opencode);
