import type { Repository } from '../git/index.ts';
import type { TaskRecord } from './record.ts';

/** The task's repository as Git calls take it, from what was recorded at delegation. */
export function taskRepository(record: TaskRecord): Repository {
  const { repository } = record;
  return {
    id: repository.id,
    root: repository.root,
    gitDir: repository.git_dir,
    commonDir: repository.common_dir,
    objectFormat: repository.object_format,
    isShallow: false,
    head: record.base_commit,
  };
}
