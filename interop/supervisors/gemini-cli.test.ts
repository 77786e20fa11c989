import { geminiCli } from './programs/gemini-cli.ts';
import { describeSupervisor } from './scenarios.ts';

describeSupervisor(geminiCli);
