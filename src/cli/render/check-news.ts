import type { TaskNews } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { commandText, passedText } from './describe-checks.ts';
import { paragraph, quoted } from './foreign-text.ts';
import { durationText } from './measures.ts';

type Activity = Extract<TaskNews, { type: 'activity' }>['activity'];
type CheckNews = Extract<Activity, { type: 'check_started' | 'check_output' | 'check_ended' }>;

/** What a verification that runs now does: the command, what it prints behind a margin, and how it ended. */
export function checkNewsLines(news: CheckNews, style: Style, width: number): string[] {
  switch (news.type) {
    case 'check_started':
      return [paragraph(`  runs ${news.id}: `, commandText(news.argv, news.cwd), width)];
    case 'check_output':
      return quoted(news.line, style, width, '    ');
    case 'check_ended': {
      const how = news.passed ? '' : `: ${news.outcome}`;
      const line = paragraph('  passed ', `${news.id}${how} (${durationText(news.duration_ms)})`, width);
      return [line.replace('passed', passedText(news.passed, style))];
    }
  }
}
