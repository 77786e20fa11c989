import type { Desk, TaskNews, TaskView } from '../../app/index.ts';
import { isTerminal } from '../../task/index.ts';
import { Detach } from '../detach.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { print, remarkOn } from '../print.ts';
import { standingLines } from '../render/describe-task.ts';
import { jsonText } from '../render/json-text.ts';
import { NewsLines } from '../render/news-lines.ts';
import { styleFor, widthFor } from '../terminal.ts';
import { atTask, type DeskWords } from './at-task.ts';
import { exitCodeOfTask } from './task-end.ts';

export interface WatchWords extends DeskWords {
  until: 'needed' | 'over';
}

/** Tells what happens in a task until it needs somebody or is over; whoever leaves earlier leaves it untouched. */
export function watchTask(given: string, words: WatchWords): Promise<ExitCode> {
  return atTask(given, words, async (desk, taskId) => {
    using detach = new Detach();
    process.stdout.once('error', () => detach.ask());
    const teller = words.json ? jsonTeller() : lineTeller();
    for await (const news of desk.follow(taskId, { signal: detach.signal })) {
      teller.tell(news);
      if (news.type === 'gone') return EXIT.internal;
      const code = news.type === 'status' ? endOf(news.status, words.until) : undefined;
      if (code === undefined) continue;
      await teller.end(desk, taskId);
      return code;
    }
    remarkOn(`no longer watching; task ${taskId} is as it was: remit task watch ${taskId} comes back to it`);
    return EXIT.interrupted;
  });
}

function endOf(status: TaskView, until: WatchWords['until']): ExitCode | undefined {
  return until === 'needed' || isTerminal(status.state) ? exitCodeOfTask(status) : undefined;
}

interface Teller {
  tell(news: TaskNews): void;
  end(desk: Desk, taskId: string): Promise<void>;
}

function jsonTeller(): Teller {
  return { tell: (news) => print(jsonText(news)), end: async () => {} };
}

function lineTeller(): Teller {
  const [style, width] = [styleFor(process.stdout, process.env), widthFor(process.stdout)];
  const lines = new NewsLines(style, width);
  const show = (texts: readonly string[]) => {
    if (texts.length > 0) print(texts.join('\n'));
  };
  return {
    tell: (news) => show(lines.tell(news)),
    async end(desk, taskId) {
      show(lines.rest());
      show(['', ...standingLines(await desk.show(taskId), style, width)]);
    },
  };
}
