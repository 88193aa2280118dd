import { ImagesError } from '../images-error.ts';

/** What a registry says was pushed. */
export interface ImageEvent {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** A request as it came, its body read. Names of headers are in lower case. */
export interface WebhookRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** One kind of registry: whether a request is really its, and what it says. */
export interface WebhookKind {
  readonly type: string;
  /** Throws where the request does not prove that it knows the secret; an empty secret asks for no proof. */
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

/** A text at a path of a payload; empty where there is none. */
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
