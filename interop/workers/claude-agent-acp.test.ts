import { claudeAgentAcp } from './programs/claude-agent-acp.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(claudeAgentAcp);
