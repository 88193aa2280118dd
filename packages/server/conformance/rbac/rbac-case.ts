import type { Application, AppProject } from '@fairlead/api';
import type { Claims } from '../../src/rbac/claims.ts';
import { type Caller, Enforcer } from '../../src/rbac/enforcer.ts';
import { readRbacConfig } from '../../src/rbac/rbac-config.ts';

export type Data = Readonly<Record<string, string>>;

export type Decision = readonly [resource: string, action: string, object: string, answer: string, message?: string];

export interface Operation {
  readonly operation: string;
  readonly request?: Readonly<Record<string, string>>;
  readonly result: string | readonly string[];
  readonly message?: string;
}

export interface RbacCase {
  readonly name: string;
  readonly config?: Data;
  readonly settings?: Data;
  readonly secret?: Data;
  readonly projects?: readonly AppProject[];
  readonly applications?: readonly Application[];
  readonly namespaces?: readonly string[];
  readonly expected?: {
    readonly validate?: { readonly ok?: true; readonly warning?: string; readonly error?: string };
    readonly load?: { readonly ok?: true; readonly error?: string };
    readonly projectValidation?: Data;
  };
  readonly subjects?: readonly {
    readonly claims: Claims | null;
    readonly operations?: readonly Operation[];
    readonly decisions?: readonly Decision[];
    readonly answers?: readonly (readonly [string, string, string, string | { readonly error: string }])[];
  }[];
  readonly tokens?: readonly {
    readonly claims: Claims;
    readonly alg?: string;
    readonly key?: string;
    readonly raw?: string;
    readonly expected: {
      readonly claims?: Claims;
      readonly renewed?: boolean;
      readonly decisions?: readonly Decision[];
      readonly error?: string;
    };
  }[];
}

export const projectNamed =
  ({ projects = [] }: RbacCase) =>
  (name: string): AppProject | undefined =>
    projects.find(({ metadata }) => metadata.name === name);

export const enforcerOf = (one: RbacCase): Enforcer =>
  new Enforcer(readRbacConfig(one.config ?? {}), projectNamed(one));

export const callerOf = (claims: Claims | null): Caller => claims ?? 'anonymous';

/** Go's CSV, YAML and JWT libraries have their own wording. */
export const withoutLibraryWords = (text: string): string =>
  text.replace(/(error parsing policy line .*?|error unmarshalling scopes|could not JSON decode \w+): .*$/su, '$1');
