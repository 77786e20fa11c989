import { opencode } from './programs/opencode.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(opencode);
