import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type JsonObject, messageOf, objectsAt, textAt, toJson } from '@fairlead/apimachinery';
import { readYaml, writeYaml } from '@fairlead/render/go-yaml';
import { CliError } from '../cli-error.ts';
import type { Environment } from '../environment.ts';

/** A server, and the account that a command uses there. */
export interface ServerContext {
  readonly name: string;
  /** The entry of `servers` that it names, and of `users`. */
  readonly server: string;
  readonly user: string;
}

/**
 * The contexts of `argocd login` and `fairlead login`, in the file and format of argocd: lists of `contexts`, `servers` and `users`, and
 * `current-context`. What is in the file and not known here is kept.
 */
export class ContextsFile {
  readonly path: string;
  readonly #content: JsonObject;

  private constructor(path: string, content: JsonObject) {
    this.path = path;
    this.#content = content;
  }

  static read({ configDirs }: Environment): ContextsFile {
    const dir = configDirs.find((one) => existsSync(one)) ?? configDirs.at(-1) ?? '';
    const path = join(dir, 'config');
    if (!existsSync(path)) return new ContextsFile(path, {});
    refuseReadable(path);
    let content: unknown;
    try {
      content = readYaml(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new CliError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
    }
    const value = toJson(content ?? {});
    if (!isObject(value)) throw new CliError(`${path} is not a list of contexts: correct it, or remove it`);
    return new ContextsFile(path, value);
  }

  get current(): string {
    return textAt(this.#content, 'current-context');
  }

  get contexts(): readonly ServerContext[] {
    return objectsAt(this.#content, 'contexts').map((one) => ({
      name: textAt(one, 'name'),
      server: textAt(one, 'server'),
      user: textAt(one, 'user'),
    }));
  }

  server(name: string): JsonObject | undefined {
    return objectsAt(this.#content, 'servers').find((one) => textAt(one, 'server') === name);
  }

  token(user: string): string {
    return textAt(this.#user(user), 'auth-token');
  }

  /** Empty unless the user signed in with an OpenID provider that issued one. */
  refreshToken(user: string): string {
    return textAt(this.#user(user), 'refresh-token');
  }

  #user(name: string): JsonObject | undefined {
    return objectsAt(this.#content, 'users').find((one) => textAt(one, 'name') === name);
  }

  /** Adds or replaces a context with its server and user, and makes it the current one. */
  saveLogin(name: string, server: JsonObject, token: string, refreshToken?: string): void {
    const address = textAt(server, 'server');
    this.#put('servers', 'server', server);
    this.#putUser(name, token, refreshToken);
    this.#put('contexts', 'name', { name, server: address, user: name });
    this.#save({ 'current-context': name });
  }

  /** Replaces the tokens of a user, after a refresh. */
  saveTokens(user: string, token: string, refreshToken: string): void {
    this.#putUser(user, token, refreshToken);
    this.#save();
  }

  #putUser(name: string, token: string, refreshToken: string | undefined): void {
    const refresh = refreshToken ? { 'refresh-token': refreshToken } : {};
    this.#put('users', 'name', { name, 'auth-token': token, ...refresh });
  }

  use(name: string): void {
    this.#save({ 'current-context': name });
  }

  /** Removes the token of a user. Returns whether there was one. */
  forgetToken(user: string): boolean {
    const known = this.#user(user);
    if (!known?.['auth-token']) return false;
    this.#put('users', 'name', { name: user });
    this.#save();
    return true;
  }

  /** Removes a context, and its server and user if no other context has them. */
  remove({ name, server, user }: ServerContext): void {
    this.#drop('contexts', 'name', name);
    if (!this.contexts.some((one) => one.server === server)) this.#drop('servers', 'server', server);
    if (!this.contexts.some((one) => one.user === user)) this.#drop('users', 'name', user);
    this.#save(this.current === name ? { 'current-context': '' } : {});
  }

  #put(list: string, key: string, entry: JsonObject): void {
    const all = objectsAt(this.#content, list);
    const at = all.findIndex((one) => textAt(one, key) === textAt(entry, key));
    this.#content[list] = at < 0 ? [...all, entry] : all.with(at, entry);
  }

  #drop(list: string, key: string, name: string): void {
    this.#content[list] = objectsAt(this.#content, list).filter((one) => textAt(one, key) !== name);
  }

  /** Other processes see the old file or the new one, and only the user may read it. */
  #save(changes: JsonObject = {}): void {
    Object.assign(this.#content, changes);
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const next = `${this.path}.${randomUUID()}`;
    try {
      writeFileSync(next, writeYaml(this.#content), { mode: 0o600 });
      chmodSync(next, 0o600);
      renameSync(next, this.path);
    } finally {
      rmSync(next, { force: true });
    }
  }
}

/** As argocd does: the file has tokens. */
function refuseReadable(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  throw new CliError(`${path} has tokens and can be read by others: run chmod 600 ${path}`);
}
