/** How the text of a setting is parsed. `seconds` is a whole number of seconds, `list` names separated by commas. */
export type SettingType =
  | 'text'
  | 'boolean'
  | 'enum'
  | 'duration'
  | 'seconds'
  | 'number'
  | 'list'
  | 'yaml'
  | 'json'
  | 'time';

/** The roles that read settings. */
export type SettingRole = 'controller' | 'applicationset' | 'notifications' | 'server';

/**
 * Whether a key has the effect that it has in Argo CD:
 * - `honoured`: yes
 * - `different`: it is read, and `note` says what differs
 * - `not supported`: it has no effect, and `note` says why
 */
export type SettingStatus = 'honoured' | 'different' | 'not supported';

/** A key of a ConfigMap or Secret of Argo CD. */
export interface Setting<T extends SettingType = SettingType, S extends SettingStatus = SettingStatus> {
  readonly type: T;
  /** The values of an `enum`. */
  readonly choices?: readonly string[];
  /** The value that applies if the key is absent; empty if there is none. */
  readonly default: string;
  /** Who reads the key. The first one reports a key that is not supported. */
  readonly roles: readonly SettingRole[];
  /** Whether a change applies without a restart. */
  readonly live: boolean;
  readonly status: S;
  /** What the key does; empty for a key that is not supported. */
  readonly about: string;
  /** What differs from Argo CD, or why the key is not supported. */
  readonly note: string;
  /** Only Fairlead has the key. */
  readonly own?: true;
}

/** Keys with their settings. `*` in a key matches any text. */
export type Settings = Readonly<Record<string, Setting>>;

export const controller = ['controller'] as const;
export const applicationset = ['applicationset'] as const;
export const notifications = ['notifications'] as const;
export const server = ['server'] as const;
export const controllerAndServer = ['controller', 'server'] as const;

type Roles = readonly SettingRole[];

export function honoured<T extends SettingType>(
  type: T,
  byDefault: string,
  roles: Roles,
  about: string,
): Setting<T, 'honoured'> {
  return { type, default: byDefault, roles, live: true, status: 'honoured', about, note: '' };
}

export function different<T extends SettingType>(
  type: T,
  byDefault: string,
  roles: Roles,
  about: string,
  note: string,
): Setting<T, 'different'> {
  return { type, default: byDefault, roles, live: true, status: 'different', about, note };
}

/** A value that equals Argo CD's default asks for nothing, so it is not reported. */
export function notSupported<T extends SettingType>(
  type: T,
  byDefault: string,
  roles: Roles,
  note: string,
): Setting<T, 'not supported'> {
  return { type, default: byDefault, roles, live: false, status: 'not supported', about: '', note };
}

export function oneOf(
  choices: readonly string[],
  byDefault: string,
  roles: Roles,
  about: string,
): Setting<'enum', 'honoured'> {
  return { ...honoured('enum', byDefault, roles, about), choices };
}

/** A change applies after a restart. */
export const atStart = <T extends SettingType, S extends SettingStatus>(setting: Setting<T, S>): Setting<T, S> => ({
  ...setting,
  live: false,
});

/** A key that Argo CD does not have. */
export const own = <T extends SettingType, S extends SettingStatus>(setting: Setting<T, S>): Setting<T, S> => ({
  ...setting,
  own: true,
});
