import { claudeCode } from './programs/claude-code.ts';
import { describeSupervisor } from './scenarios.ts';

describeSupervisor(claudeCode);
