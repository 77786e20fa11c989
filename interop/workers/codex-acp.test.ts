import { codexAcp } from './programs/codex-acp.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(codexAcp);
