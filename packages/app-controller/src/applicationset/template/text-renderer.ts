import { messageOf } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import {
  Budget,
  CpuTime,
  executeTemplate,
  type GoMap,
  LimitError,
  type MissingKey,
  type ParsedTemplate,
  TemplateExecError,
  TemplateParseError,
  TemplateSet,
} from '@fairlead/render/go-template';
import { Yielding } from '../../yielding.ts';
import { FastTemplateError, fastTemplate } from './fast-template.ts';
import { templateFunctions } from './functions.ts';

/** The parameters of one Application. */
export type Params = GoMap;

/** A template that cannot be rendered: its author must change it. */
export class TemplateError extends Error {
  /** It names a parameter that there is not. */
  readonly isMissingKey: boolean;

  constructor(message: string, isMissingKey = false) {
    super(message);
    this.isMissingKey = isMissingKey;
  }
}

export interface TextRenderer {
  /** The text with the parameters in their places. */
  render(template: string, params: Params): string;
  /** The same, but a parameter that there is not is an error. */
  renderStrictly(template: string, params: Params): string;
  /**
   * To be called before the texts of one Application or generator: yields to other work of the process if it is time to. The texts that
   * follow share one limit of CPU time.
   */
  begin(): Promise<void>;
}

export interface TemplateOptions {
  readonly goTemplate?: boolean | undefined;
  readonly goTemplateOptions?: readonly string[] | undefined;
}

/** Of one text: a template of a user must not hold up the others. */
const textLimits = { steps: limits.appSetTemplateSteps, size: limits.appSetTemplateBytes, items: 100_000 };

/** `{{name}}`, or Go templates where the ApplicationSet wants them. */
export function textRenderer({ goTemplate, goTemplateOptions = [] }: TemplateOptions): TextRenderer {
  const yielding = new Yielding();
  if (!goTemplate) {
    const render = (template: string, params: Params): string => renderFast(template, params);
    return { render, renderStrictly: render, begin: () => yielding.next() };
  }
  const missingKey = missingKeyOf(goTemplateOptions);
  const cpu = new CpuTime(limits.appSetTemplateMs);
  return {
    render: goRenderer(missingKey, cpu),
    renderStrictly: goRenderer('error', cpu),
    async begin() {
      await yielding.next();
      cpu.restart();
    },
  };
}

function renderFast(template: string, params: Params): string {
  try {
    return fastTemplate(template, (name) => {
      const value = params.get(name);
      return typeof value === 'string' ? value : undefined;
    });
  } catch (error) {
    throw error instanceof FastTemplateError ? new TemplateError(error.message) : error;
  }
}

const missingKeys: Readonly<Record<string, MissingKey>> = {
  'missingkey=default': 'default',
  'missingkey=invalid': 'default',
  'missingkey=zero': 'zero',
  'missingkey=error': 'error',
};

function missingKeyOf(options: readonly string[]): MissingKey {
  let missingKey: MissingKey = 'default';
  for (const option of options) {
    const found = missingKeys[option];
    if (!found) {
      throw new TemplateError(
        `goTemplateOptions: ${JSON.stringify(option)} is not an option of Go templates: use missingkey=default, missingkey=zero or missingkey=error`,
      );
    }
    missingKey = found;
  }
  return missingKey;
}

function goRenderer(missingKey: MissingKey, cpu: CpuTime): TextRenderer['render'] {
  const own = { ...textLimits, cpu };
  const parsed = new Map<string, { readonly set: TemplateSet; readonly template: ParsedTemplate }>();
  return (text, params) => {
    if (!text.includes('{{')) return text;
    let known = parsed.get(text);
    if (!known) {
      known = parse(text, missingKey);
      parsed.set(text, known);
    }
    try {
      return executeTemplate(known.set, known.template, params, new Budget(own));
    } catch (error) {
      throw explain(error, text);
    }
  };
}

function parse(text: string, missingKey: MissingKey): { set: TemplateSet; template: ParsedTemplate } {
  const set = new TemplateSet(templateFunctions, undefined, undefined, missingKey);
  try {
    return { set, template: set.parse('base', text) };
  } catch (error) {
    if (!(error instanceof TemplateParseError)) throw error;
    throw new TemplateError(`failed to parse template ${text}: ${error.message}`);
  }
}

function explain(error: unknown, text: string): unknown {
  const isExpected = error instanceof TemplateExecError || error instanceof LimitError || error instanceof RangeError;
  if (!isExpected) return error;
  const message = messageOf(error);
  const isMissingKey = /map has no entry for key|can't evaluate field/u.test(message);
  return new TemplateError(`failed to execute go template ${text}: ${message}`, isMissingKey);
}
