import { SingleBar } from "cli-progress";

export type Progress = { update: (done: number, total: number) => void; end: () => void };

/** Shows a progress bar on a terminal; elsewhere logs a line at each quarter. */
export function showProgress(title: string, log: (line: string) => void = console.log): Progress {
  if (!process.stdout.isTTY) {
    let quarters = 0;
    return {
      update(done, total) {
        if ((4 * done) / total < quarters + 1) return;
        quarters = Math.floor((4 * done) / total);
        log(`${title}: ${quarters * 25} %`);
      },
      end() {},
    };
  }
  const bar = new SingleBar({ format: `${title} [{bar}] {percentage} %`, hideCursor: true, barsize: 40 });
  let isStarted = false;
  return {
    update(done, total) {
      if (!isStarted) bar.start(total, 0);
      isStarted = true;
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}

const intervalMs = 5_000;

/** Returns a function that logs its text, at most once per interval. */
export function createProgress(log: (line: string) => void): (text: string) => void {
  let loggedAt = performance.now();
  return (text) => {
    if (performance.now() - loggedAt < intervalMs) return;
    loggedAt = performance.now();
    log(text);
  };
}
