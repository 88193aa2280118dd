import { limits } from '@fairlead/kube';
import {
  Budget,
  CpuTime,
  execute,
  type GoFunction,
  type GoMap,
  type Limits,
  TemplateSet,
} from '@fairlead/render/go-template';
import { sprigFunctions } from '@fairlead/render/sprig';

/** A template of a text that is parsed and waits for its variables. */
export type Render = (variables: GoMap) => string;

/** Parses one text of a template. Throws TemplateParseError. */
export type CompileText = (text: string, name?: string) => Render;

/** Limits of one text: more than any message needs, and little enough to hold nobody up. */
const textLimits: Limits = {
  steps: limits.notificationTemplateSteps,
  size: limits.notificationTextBytes,
  items: 100_000,
};

/** Compiles the texts of one template with sprig's functions. */
export function textCompiler(templateName: string, now: () => number): CompileText {
  const functions: Readonly<Record<string, GoFunction>> = sprigFunctions({ now, used: () => {} });
  return (text, name = templateName) => {
    const set = new TemplateSet(functions, undefined, undefined, 'default');
    set.parse(name, text);
    return (variables) =>
      execute(set, name, variables, new Budget({ ...textLimits, cpu: new CpuTime(limits.notificationTemplateMs) }));
  };
}
