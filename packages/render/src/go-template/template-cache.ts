import { type ParsedTemplate, type ParseOptions, parseTemplates } from './parser.ts';

/** The limit for the text of cached templates. */
const maxKept = 32 * 1024 * 1024;

/** Caches parsed templates by file and text. For template sets with the same functions. */
export class TemplateCache {
  private readonly kept = new Map<string, Map<string, ParsedTemplate>>();
  private size = 0;

  parse(file: string, source: string, options: ParseOptions): Map<string, ParsedTemplate> {
    const key = `${file}\0${source}`;
    let templates = this.kept.get(key);
    if (templates) {
      this.kept.delete(key);
    } else {
      templates = parseTemplates(file, source, options);
      this.size += key.length;
    }
    this.kept.set(key, templates);
    for (const oldest of this.kept.keys()) {
      if (this.size <= maxKept) break;
      this.kept.delete(oldest);
      this.size -= oldest.length;
    }
    return templates;
  }
}
