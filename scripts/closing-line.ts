/** A vitest reporter whose only work is the last line of a run: `N passed, N failed`, and `, N skipped` when there are any. */
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

export default class ClosingLine implements Reporter {
  #printed = false;

  onInit(vitest: Vitest): void {
    // Vitest's own summary follows the end of the run; the line must come after everything.
    vitest.onClose(() => this.#print());
    process.once('exit', () => this.#print());
  }

  #line = '0 passed, 1 failed';

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    let [passed, failed, skipped] = [0, unhandled.length, 0];
    for (const module of modules) {
      // A file that cannot be loaded has no test that could fail.
      if (module.errors().length > 0) failed += 1;
      for (const { state } of [...module.children.allTests()].map((test) => test.result())) {
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    if (failed === 0 && (reason !== 'passed' || passed === 0)) failed = 1;
    this.#line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }

  #print(): void {
    if (this.#printed) return;
    this.#printed = true;
    console.log(this.#line);
  }
}
