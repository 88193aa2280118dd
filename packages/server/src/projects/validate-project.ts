import type { AppProject } from '@fairlead/api';
import { globMatcher } from '@fairlead/apimachinery';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { validateRole } from './validate-role.ts';
import { validateSyncWindows } from './validate-sync-windows.ts';

type Spec = AppProject['spec'];

/** Refuses a project for the first problem, with the message of Argo CD's API. */
export function validateProject({ metadata, spec }: AppProject): void {
  validateDestinations(spec);
  refuseRepeated(spec.sourceNamespaces, (name) => invalidArgument(`source namespace '${name}' already added`));
  if (spec.sourceRepos?.includes('!*')) throw invalidArgument("source repository has an invalid format, '!*'");
  refuseRepeated(spec.sourceRepos, (url) => invalidArgument(`source repository '${url}' already added`));
  const roles = new Set<string>();
  for (const role of spec.roles ?? []) {
    if (roles.has(role.name)) throw new RpcError('AlreadyExists', `role '${role.name}' already exists`);
    roles.add(role.name);
    validateRole(metadata.name ?? '', role);
  }
  validateSyncWindows(spec.syncWindows ?? []);
  validateServiceAccounts(spec);
}

export function refuseRepeated(texts: readonly string[] = [], refusal: (text: string) => RpcError): void {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) throw refusal(text);
    seen.add(text);
  }
}

function validateDestinations({ destinations = [] }: Spec): void {
  const seen = new Set<string>();
  for (const destination of destinations) {
    const { name = '', server = '', namespace = '' } = destination;
    const denied = (['name', 'server', 'namespace'] as const).find((field) => destination[field] === '!*');
    if (denied) throw invalidArgument(`${denied} has an invalid format, '!*'`);
    const key = `${server === '' && name !== '' ? name : server}/${namespace}`;
    if (seen.has(key)) throw invalidArgument(`destination '${key}' already added`);
    seen.add(key);
  }
}

function validateServiceAccounts({ destinationServiceAccounts = [] }: Spec): void {
  const seen = new Set<string>();
  for (const { server = '', namespace = '', defaultServiceAccount = '' } of destinationServiceAccounts) {
    const wrong = (field: string, value: string): RpcError =>
      invalidArgument(`${field} has an invalid format, '${value}'`);
    if (server.includes('!')) throw wrong('server', server);
    if (namespace.includes('!')) throw wrong('namespace', namespace);
    if (defaultServiceAccount.trim() === '' || /[!*[\]{}\\/]/u.test(defaultServiceAccount)) {
      throw wrong('defaultServiceAccount', defaultServiceAccount);
    }
    if (!isGlob(server)) throw wrong('server', server);
    if (!isGlob(namespace)) throw wrong('namespace', namespace);
    const key = `${server}/${namespace}`;
    if (seen.has(key)) throw invalidArgument(`destinationServiceAccount '${key}' already added`);
    seen.add(key);
  }
}

function isGlob(pattern: string): boolean {
  try {
    globMatcher(pattern);
    return true;
  } catch {
    return false;
  }
}
