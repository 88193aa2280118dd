import type { ReactNode } from 'react';

export type Tone = 'ok' | 'working' | 'warn' | 'bad' | 'idle' | 'purple';

interface Appearance {
  readonly tone: Tone;
  /** On a grid of 16: each state has a different outline, so that colour is not needed. */
  readonly shape: ReactNode;
  readonly spins?: true;
}

const cutOut = {
  stroke: 'var(--surface)',
  strokeWidth: 1.8,
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const line = { stroke: 'currentColor', strokeWidth: 1.8, fill: 'none', strokeLinecap: 'round' } as const;

const checked = (
  <>
    <circle cx="8" cy="8" r="7" fill="currentColor" />
    <path d="m4.8 8.3 2.2 2.2 4.2-4.6" {...cutOut} />
  </>
);
const question = (
  <>
    <circle cx="8" cy="8" r="6.2" {...line} strokeDasharray="2.4 2.4" />
    <path d="M6.3 6.3a1.8 1.8 0 1 1 2.6 1.8c-.6.3-.9.6-.9 1.2M8 11.4v.01" {...line} />
  </>
);
const turning = <path d="M8 1.8A6.2 6.2 0 1 1 1.8 8" {...line} strokeWidth="2.4" />;

const appearances = {
  Synced: { tone: 'ok', shape: checked },
  OutOfSync: {
    tone: 'warn',
    shape: (
      <>
        <path d="M8 .8 15.2 8 8 15.2.8 8z" fill="currentColor" />
        <path d="M8 11V5.4M5.7 7.4 8 5.1l2.3 2.3" {...cutOut} />
      </>
    ),
  },
  Healthy: {
    tone: 'ok',
    shape: <path d="M8 14 2.4 8.5a3.5 3.5 0 0 1 5-5l.6.6.6-.6a3.5 3.5 0 0 1 5 5z" fill="currentColor" />,
  },
  Progressing: { tone: 'working', shape: turning, spins: true },
  Degraded: {
    tone: 'bad',
    shape: (
      <>
        <path d="M8 1 15.5 14.5H.5z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
        <path d="M8 6v4M8 12.2v.01" {...cutOut} />
      </>
    ),
  },
  Suspended: { tone: 'purple', shape: <path d="M4.5 2.5h2.5v11H4.5zM9 2.5h2.5v11H9z" fill="currentColor" /> },
  Missing: {
    tone: 'warn',
    shape: <circle cx="8" cy="8" r="6.2" {...line} strokeWidth="2.2" strokeDasharray="3.2 3.3" />,
  },
  Unknown: { tone: 'idle', shape: question },
  None: { tone: 'idle', shape: <path d="M3 8h10" {...line} /> },
  Running: { tone: 'working', shape: turning, spins: true },
  Terminating: { tone: 'warn', shape: turning, spins: true },
  Succeeded: { tone: 'ok', shape: checked },
  Failed: {
    tone: 'bad',
    shape: (
      <>
        <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />
        <path d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" {...cutOut} />
      </>
    ),
  },
  Waiting: {
    tone: 'idle',
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" {...line} />
        <path d="M8 4.5V8l2.3 1.5" {...line} />
      </>
    ),
  },
} as const satisfies Record<string, Appearance>;

const aliases: Readonly<Record<string, keyof typeof appearances>> = {
  Error: 'Failed',
  ok: 'Succeeded',
  working: 'Running',
  waiting: 'Waiting',
  broken: 'Failed',
  unknown: 'Unknown',
  absent: 'None',
  Pending: 'Waiting',
  InProgress: 'Running',
  Completed: 'Succeeded',
  Successful: 'Succeeded',
  Extra: 'OutOfSync',
};

const isKnown = (status: string): status is keyof typeof appearances => Object.hasOwn(appearances, status);

export function appearanceOf(status: string): Appearance {
  const name = aliases[status] ?? status;
  return isKnown(name) ? appearances[name] : appearances.Unknown;
}
