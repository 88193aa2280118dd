import { randomUUID } from 'node:crypto';
import { beginTrace, carryOn } from '../core/trace.ts';
import type { CloudEvent } from './cloud-event.ts';
import { typed } from './event-type.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';

export interface EventIds {
  readonly eventid: string;
  readonly resourceid: string;
}

export type Attributes = Readonly<Record<string, string>>;

const noData = Buffer.alloc(0);

/** The attribute of CloudEvents' extension for distributed tracing. */
export const traceparent = (trace: string | undefined): Attributes =>
  trace === undefined ? {} : { traceparent: trace };

/** Builds the events of one side. */
export class EventWriter {
  readonly #source: string;
  readonly #forArgocdAgent: boolean;
  #last: { readonly data: unknown; readonly text: string } | undefined;

  constructor(source: string, peer: 'fairlead' | 'argocd-agent') {
    this.#source = source;
    this.#forArgocdAgent = peer === 'argocd-agent';
  }

  event(type: string, target: string, ids: EventIds, attributes: Attributes, data: unknown): CloudEvent {
    return {
      id: this.#forArgocdAgent ? randomUUID() : ids.eventid,
      source: this.#source,
      type,
      attributes: {
        dataschema: target,
        ...(this.#forArgocdAgent ? { datacontenttype: 'application/json' } : {}),
        ...attributes,
        ...ids,
      },
      data: data === undefined ? noData : Buffer.from(this.json(data)),
    };
  }

  /** A large object is serialized once, though its size is needed before it is sent. */
  json(data: unknown): string {
    if (this.#last && this.#last.data === data) return this.#last.text;
    const text = JSON.stringify(data);
    this.#last = { data, text };
    return text;
  }

  /** Requests that are not part of a link begin a trace too, and their responses continue it. */
  resourceRequest({ uuid, method, ...rest }: ResourceRequest): CloudEvent {
    const data = { uuid, method, name: '', ...rest };
    return this.event(method, 'resource', { eventid: uuid, resourceid: uuid }, newTrace(), data);
  }

  resourceResponse({ uuid, status, body }: ResourceResponse, trace: string | undefined): CloudEvent {
    const ids = { eventid: uuid, resourceid: randomUUID() };
    const attributes = traceparent(trace && carryOn(trace, randomUUID));
    return this.event(typed('response'), 'resource', ids, attributes, { uuid, status, resource: body });
  }

  logRequest(request: LogRequest): CloudEvent {
    const ids = { eventid: request.uuid, resourceid: request.uuid };
    return this.event('GET', 'containerlog', ids, newTrace(), request);
  }
}

const newTrace = (): Attributes => traceparent(beginTrace(randomUUID));
