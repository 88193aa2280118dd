import { isObject, type Json, type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import { Budget, execute, TemplateSet } from '@fairlead/render/go-template';
import { readYaml } from '@fairlead/render/go-yaml';
import { fromPlain, sprigFunctions } from '@fairlead/render/sprig';
import { RpcError } from '../rpc/rpc-error.ts';
import { evaluateCondition, type Scope } from './condition.ts';

/** A link that `argocd-cm` defines; the URL is a Go template. */
export interface DeepLink {
  readonly title: string;
  readonly url: string;
  readonly condition?: string;
  readonly description?: string;
  readonly iconClass?: string;
}

/** The setting that has the links of applications, resources or projects. Throws an RpcError if it cannot be read. */
export function readDeepLinks(text: string | undefined): DeepLink[] {
  const links = parse(text ?? '');
  if (links === null) return [];
  if (!Array.isArray(links)) throw unreadable('it is not a list');
  return links.map((link) => {
    const [condition, description, iconClass] = ['if', 'description', 'icon.class'].map((key) =>
      isObject(link) && typeof link[key] === 'string' ? link[key] : undefined,
    );
    return {
      title: textAt(link, 'title'),
      url: textAt(link, 'url'),
      ...(condition === undefined ? {} : { condition }),
      ...(description === undefined ? {} : { description }),
      ...(iconClass === undefined ? {} : { iconClass }),
    };
  });
}

function parse(text: string): Json {
  try {
    return JSON.parse(JSON.stringify(readYaml(text) ?? null));
  } catch (error) {
    throw unreadable(messageOf(error));
  }
}

const unreadable = (why: string): RpcError =>
  new RpcError('FailedPrecondition', `failed to read application deep links from configmap: ${why}`);

/** Steps of a template of a link; they are short. */
const limits = { ...new Budget().limits, steps: 100_000, size: 64 * 1024 };

/** The links whose condition holds. One that cannot be evaluated is left out, and reported. */
export function evaluateLinks(
  links: readonly DeepLink[],
  scope: Scope,
  now: number,
  report: (problem: string) => void,
): { items: JsonObject[] } {
  const functions = sprigFunctions({ now: () => now, used: () => {} });
  const items: JsonObject[] = [];
  for (const { title, url, condition, description, iconClass } of links) {
    try {
      if (condition !== undefined && evaluateCondition(condition, scope) !== true) continue;
      const set = new TemplateSet(functions, undefined, undefined, 'default');
      set.parse('deep-link', url);
      items.push({
        title,
        url: execute(set, 'deep-link', fromPlain(scope), new Budget(limits)),
        ...(description === undefined ? {} : { description }),
        ...(iconClass === undefined ? {} : { iconClass }),
      });
    } catch (error) {
      report(`link ${JSON.stringify(title)}: ${messageOf(error)}`);
    }
  }
  return { items };
}
