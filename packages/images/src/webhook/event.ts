import { ImagesError } from '../images-error.ts';

/** A push reported by a registry. */
export interface ImageEvent {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** A received request with its body. Names of headers are in lower case. */
export interface WebhookRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** One kind of registry: how its requests are authenticated, and their events. */
export interface WebhookKind {
  readonly type: string;
  /** Throws if the request is not authenticated; an empty secret requires no authentication. */
  validate(request: WebhookRequest, secret: string): void;
  parse(request: WebhookRequest): readonly ImageEvent[];
}

export const refuse = (what: string): never => {
  throw new ImagesError('InvalidWebhook', what);
};

export type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readJson({ body }: WebhookRequest): Fields {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isFields(value)) return value;
  } catch {
    // Said below.
  }
  return refuse('the body is not a JSON object');
}

/** The text at a path of a payload; empty if there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((here, key) => {
    if (Array.isArray(here)) return here[Number(key)];
    return isFields(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  }, value);
}

export const required = (text: string, what: string): string =>
  text === '' ? refuse(`the payload names no ${what}`) : text;
