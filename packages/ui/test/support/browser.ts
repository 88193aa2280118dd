import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine. Installed with apt-get if that is possible; undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['FAIRLEAD_CHROMIUM'];
  const found = [...(named === undefined ? [] : [named]), ...candidates].find((path) => existsSync(path));
  if (found !== undefined || process.env['FAIRLEAD_E2E'] !== '1') return found;
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' });
  } catch {
    // Not root, no network or another distribution: the tests are skipped by name.
  }
  return candidates.find((path) => existsSync(path));
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--force-color-profile=srgb'],
  });
