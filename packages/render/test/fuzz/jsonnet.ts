/** A program evaluates to plain JSON, or fails with a `RenderError`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRejected } from '../../../../scripts/fuzz/target.ts';
import { evaluateJsonnet } from '../../src/jsonnet/index.ts';
import { RenderError } from '../../src/render-error.ts';
import { memoryTree } from '../../src/tree/memory-tree.ts';

const seeds = [
  'local f(x, y=2) = x + y; { a: f(1), b:: 2, c+: { d: $.a }, ["e" + 1]: [x * 2 for x in std.range(1, 3) if x != 2], assert self.a > 0 }',
  '{ x: 1, y: self.x } + { x: 2, z: super.y, t: |||\n  text %(x)d\n||| % self, s: "a\\u0041" + @"raw\\" }',
  'std.manifestYamlDoc(std.mapWithKey(function(k, v) std.toString(v), { a: null, b: [1, 2] }))',
  'local imported = import "lib.libsonnet"; [imported.a, std.extVar("v"), std.parseJson("[1]")]',
];
const words =
  '{ } [ ] ( ) : :: ::: +: , ; . = == != < > + - * / % & | ^ ! && || << >> in "s" \'s\' @"x" ||| 1 -1 1e3 0.5 null true false local self super $ if then else for function import importstr error assert std.length std.range(0,3) std.map std.foldl std.format("%d",1) std.sort std.repeat("a",5) std.manifestJsonEx std.split std.parseYaml("a: 1") std.base64 std.substr("abc",1,1) tailstrict x y a'.split(
    ' ',
  );

export const target = fuzzTarget({
  inputs: fc.oneof(
    { arbitrary: mutated(seeds, words), weight: 3 },
    { arbitrary: wordsOf(words), weight: 2 },
    { arbitrary: anyText, weight: 1 },
  ),
  async check(program: string) {
    const tree = memoryTree({ 'main.jsonnet': program, 'lib.libsonnet': '{ a: 1 }' });
    const value = await unlessRejected([RenderError], () =>
      evaluateJsonnet(tree, 'main.jsonnet', {
        extVars: [{ name: 'v', value: 'x' }],
        limits: { steps: 20_000, size: 200_000, items: 10_000 },
      }),
    );
    if (value !== undefined) assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
  },
});
