import type { AppProject } from '@fairlead/api';
import { toJson } from '@fairlead/apimachinery';
import type { Server } from '../server.ts';
import type { Scope } from './condition.ts';
import { evaluateLinks, readDeepLinks } from './deep-links.ts';

type Kind = 'application' | 'resource' | 'project';

/** The deep links that the settings define for an object, with what their templates may know. */
export function linksFor(server: Server, kind: Kind, scope: Scope): object {
  const links = readDeepLinks(server.state.settings[`${kind}.links`]);
  const report = (problem: string): void => server.log.warn(`a deep link of ${kind}.links is left out`, { problem });
  return evaluateLinks(links, scope, server.state.clock.now(), report);
}

/** Tokens of roles stay out. */
export function projectScope(project: AppProject): Scope {
  const { status: _, ...rest } = { status: undefined, ...project };
  return { project: toJson(rest) };
}
