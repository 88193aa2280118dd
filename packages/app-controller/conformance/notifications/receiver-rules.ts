import { isObject, type JsonObject, textAt } from '@fairlead/apimachinery';

/** What a receiver does with a request. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Cuts the connection. */
  readonly close: boolean;
}

/** Answers by the first rule that fits: those of the case, then those of all cases, then 200 with an empty body. */
export class ReceiverRules {
  readonly #common: readonly JsonObject[];
  #own: { readonly rule: JsonObject; left: number }[] = [];
  #messages = 0;

  constructor(common: readonly JsonObject[]) {
    this.#common = common;
  }

  use(rules: readonly JsonObject[]): void {
    this.#own = rules.map((rule) => ({
      rule,
      left: typeof rule.times === 'number' ? rule.times : Number.POSITIVE_INFINITY,
    }));
  }

  reset(): void {
    this.#own = [];
    this.#messages = 0;
  }

  answer(method: string, path: string, channel: string): Answer {
    const fits = (rule: JsonObject): boolean =>
      (rule.method === undefined || rule.method === method) && new RegExp(textAt(rule, 'path'), 'u').test(path);
    const own = this.#own.find(({ rule, left }) => left > 0 && fits(rule));
    if (own) own.left -= 1;
    const rule = own?.rule ?? this.#common.find(fits);
    if (!rule) return { status: 200, body: '', headers: {}, close: false };
    return {
      status: typeof rule.status === 'number' ? rule.status : 200,
      body: rule.slackts === true ? this.#slackMessage(channel) : bodyOf(rule.body),
      headers: isObject(rule.headers)
        ? Object.fromEntries(Object.entries(rule.headers).map(([name, value]) => [name, String(value)]))
        : {},
      close: rule.close === true,
    };
  }

  #slackMessage(channel: string): string {
    this.#messages += 1;
    return JSON.stringify({
      ok: true,
      channel: `C-${channel}`,
      ts: `1700000000.${String(this.#messages).padStart(6, '0')}`,
    });
  }
}

const bodyOf = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
