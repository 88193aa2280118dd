import type { Body } from './message.ts';

/** A short description of a message, for logs and traces. */
export function labelOf(body: Body): string {
  switch (body.type) {
    case 'upsert':
      return `upsert ${body.kind}/${body.name} ${shortUid(body.object.metadata.uid)}`;
    case 'delete':
      return `delete ${body.kind}/${body.name} ${shortUid(body.uid)}`;
    case 'verify':
      return `verify ${body.item.kind}/${body.item.name} ${shortUid(body.item.uid)}`;
    case 'processed':
      return `processed ${[body.of, ...(body.also ?? [])].join(' ')}${body.error ? ` (${body.error})` : ''}`;
    case 'verify-all':
      return `verify ${body.items.length}`;
    case 'status':
    case 'operation':
    case 'terminate':
      return `${body.type} ${body.name} ${shortUid(body.uid)}${'id' in body ? ` ${shortUid(body.id)}` : ''}`;
    case 'list':
      return `list ${body.round} ${body.part + 1}/${body.parts}`;
    default:
      return body.type;
  }
}

const shortUid = (uid = ''): string => uid.slice(-4);
