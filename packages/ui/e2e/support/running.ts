import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { findChromium, launch } from '../../test/support/browser.ts';
import { openSession, type Session, type SessionOptions } from '../../test/support/session.ts';
import { type RunningUp, startUp } from '../../test/support/start-up.ts';

const chromium = findChromium();

/** Why the suite does not run; false if it does. */
export const skip =
  process.env['FAIRLEAD_E2E'] === undefined
    ? 'only in npm run e2e -- ui'
    : chromium === undefined && 'chromium is not installed';

export interface Running {
  readonly up: RunningUp;
  readonly browser: Browser;
  /** A session of the administrator, in a separate context. */
  open(options?: Partial<SessionOptions>): Promise<Session>;
}

/** `fairlead up` and a browser for the tests of a file. */
export function running(): Running {
  const stops: (() => Promise<void>)[] = [];
  const started: { up?: RunningUp; browser?: Browser } = {};
  before(async () => {
    started.up = await startUp({ after: (stop) => stops.push(stop) });
    const browser = await launch(chromium ?? '');
    started.browser = browser;
    stops.push(() => browser.close());
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('it is used before the tests have started');
    return value;
  };
  return {
    get up() {
      return get(started.up);
    },
    get browser() {
      return get(started.browser);
    },
    open(options = {}) {
      const { base, password } = get(started.up);
      return openSession(get(started.browser), { base, account: { username: 'admin', password }, ...options });
    },
  };
}
