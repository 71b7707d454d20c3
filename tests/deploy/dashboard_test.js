#!/usr/bin/env node
// The dashboard is of Grafana's own types: dashboard_test.js, from the root.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const {it} = require('node:test');

const {diagnostics} = require('./typescript.js');

const DASHBOARD = JSON.parse(
    fs.readFileSync('deploy/grafana/dashboards/sittuyin.json', 'utf8'));
const RAW = '@grafana/schema/raw';
const PLUGINS = ['stat', 'table', 'timeseries'];

// Options may be left out, and JSON has text where TypeScript has an enum.
const TYPES = `
import {Dashboard} from '${RAW}/dashboard/x/types.gen';
${PLUGINS.map(type => `import * as ${type} from
    '${RAW}/composable/${type}/panelcfg/x/types.gen';`).join('\n')}
type Plain<T> = T extends string ? \`\${T}\` :
    T extends object ? {[K in keyof T]: Plain<T[K]>} : T;
type Some<T> = T extends (infer Item)[] ? Some<Item>[] :
    T extends object ? {[K in keyof T]?: Some<T[K]>} : T;
interface Target {
  refId: string; expr: string; legendFormat: string;
  format?: 'table' | 'time_series'; instant?: boolean; range?: boolean;
}
`;

// One text for the whole and, of each panel, what that leaves open.
function source(dashboard) {
  const of = (type, value) =>
      `((unused: ${type}) => {})(${JSON.stringify(value ?? {})});\n`;
  return TYPES + of('Plain<Dashboard>', dashboard) +
      dashboard.panels.filter(({type}) => type !== 'row').map(panel => {
        assert.ok(PLUGINS.includes(panel.type), panel.type);
        return of(`Some<Plain<${panel.type}.Options>>`, panel.options) +
            of(panel.type === 'stat' ? '{[none: string]: never}' :
                   `Some<Plain<${panel.type}.FieldConfig>>`,
               panel.fieldConfig.defaults.custom) +
            of('Target[]', panel.targets);
      }).join('');
}

const panelOf = (dashboard, type) =>
    dashboard.panels.find(panel => panel.type === type);
const edits = {
  'a typo in the dashboard': d => d.refreshs = '30s',
  'text for a place': d => panelOf(d, 'stat').gridPos.x = '0',
  'a typo in a variable': d => d.templating.list[1].includeAl = true,
  'an unknown mode of thresholds': d =>
    panelOf(d, 'stat').fieldConfig.defaults.thresholds.mode = 'absolut',
  'a typo in options': d => panelOf(d, 'timeseries').options.legends = {},
  'an unknown placement': d =>
    panelOf(d, 'timeseries').options.legend.placement = 'below',
  'a typo in a field\'s settings': d =>
    panelOf(d, 'timeseries').fieldConfig.defaults.custom = {fillOpacit: 1},
  'a typo in a target': d => panelOf(d, 'table').targets[0].expression = '',
};
const [faults, ...faultsOfEdits] = diagnostics(
    [DASHBOARD, ...Object.values(edits).map(edit => {
      const copy = structuredClone(DASHBOARD);
      edit(copy);
      return copy;
    })].map(source));

it('is of Grafana\'s types', () => assert.deepEqual(faults, []));
for (const [i, name] of Object.keys(edits).entries()) {
  it(`but not with ${name}`, () => assert.equal(faultsOfEdits[i].length, 1));
}
