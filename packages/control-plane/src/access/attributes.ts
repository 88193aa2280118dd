import { type ApiError, apiError } from '@fairlead/apimachinery';
import type { User } from '../resource.ts';

/** The attributes of a request: for a resource, or for a non-resource path (`/metrics`). */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: undefined;
}

export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export const isPath = (attributes: Attributes): attributes is PathAttributes => attributes.path !== undefined;

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function sentence(user: User, attributes: Attributes): string {
  const who = JSON.stringify(user.name);
  if (isPath(attributes)) return `User ${who} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}`;
  const resource = attributes.subresource ? `${attributes.resource}/${attributes.subresource}` : attributes.resource;
  const where = attributes.namespace
    ? `in the namespace ${JSON.stringify(attributes.namespace)}`
    : 'at the cluster scope';
  return `User ${who} cannot ${attributes.verb} resource "${resource}" in API group ${JSON.stringify(attributes.group)} ${where}`;
}

/** The 403 of a request that no rule allows. `reason` is the reason of the authorizer, or empty. */
export function forbiddenError(user: User, attributes: Attributes, reason = ''): ApiError {
  const message = escapeHtml(sentence(user, attributes)) + (reason === '' ? '' : `: ${reason}`);
  if (isPath(attributes)) return apiError(403, 'Forbidden', `forbidden: ${message}`, {});
  return forbidden(attributes, message);
}

/** A 403 about one resource, in the server's form: `roles.rbac.authorization.k8s.io "x" is forbidden: …`. */
export function forbidden(
  target: { readonly group: string; readonly resource: string; readonly name?: string },
  message: string,
): ApiError {
  const resource = target.group === '' ? target.resource : `${target.resource}.${target.group}`;
  const name = target.name ? ` ${JSON.stringify(target.name)}` : '';
  return apiError(403, 'Forbidden', `${resource}${name} is forbidden: ${message}`, {
    ...(target.name ? { name: target.name } : {}),
    ...(target.group ? { group: target.group } : {}),
    kind: target.resource,
  });
}
