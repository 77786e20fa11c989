import { gemini } from './programs/gemini.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(gemini);
