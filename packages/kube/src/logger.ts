import { type Clock, systemClock } from './clock.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger with these fields on every line. */
  with(fields: LogFields): Logger;
}

export interface LoggerOptions {
  /** The minimum level; `info` by default. */
  readonly level?: LogLevel;
  readonly format?: 'plain' | 'json';
  /** Writes one line, given without its line break; to standard error by default. */
  readonly sink?: (line: string) => void;
  readonly clock?: Clock;
  readonly fields?: LogFields;
}

export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info', format = 'plain', clock = systemClock, fields: own = {} } = options;
  const sink = options.sink ?? ((line: string) => process.stderr.write(`${line}\n`));
  const least = levels.indexOf(level);
  const write = format === 'json' ? jsonLine : plainLine;
  const at =
    (lineLevel: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(lineLevel) < least) return;
      sink(write(new Date(clock.now()).toISOString(), lineLevel, message, { ...own, ...fields }));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLogger({ ...options, fields: { ...own, ...fields } }),
  };
}

const nothing = (): void => {};
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => silentLogger,
};

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? describe(value) : value,
  ]);
  try {
    return JSON.stringify({ time, level, message, ...Object.fromEntries(values) });
  } catch {
    return JSON.stringify({ time, level, message, ...Object.fromEntries(values.map(([n, v]) => [n, String(v)])) });
  }
}

function plainLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${plainValue(value)}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}`;
}

function plainValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(describe(value));
  const text = typeof value === 'string' ? value : (safeJson(value) ?? String(value));
  return /^[^\s"=]+$/.test(text) || typeof value !== 'string' ? text : JSON.stringify(text);
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The stack has the location; the causes below it have the reason. */
function describe(error: Error): string {
  const cause = error.cause instanceof Error ? `; caused by ${describe(error.cause)}` : '';
  return `${error.name}: ${error.message}${cause}`;
}
