#!/usr/bin/env node
// deploy/kubernetes and deploy/helm say the same, what they say is valid and
// safe, and fits the server: kubernetes_test.js SERVER, from the root.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const os = require('os');
const path = require('path');
const {describe, it} = require('node:test');

const {faults} = require('./manifest_types.js');
const {CHART, SETS, helm, helmTemplate, kustomize, objects, run, valueFiles,
       yaml} = require('./manifests.js');

const server = process.argv[2];
const rendered = Object.fromEntries(
    Object.keys(SETS).map(set => [set, kustomize(set)]));
const everything = Object.values(rendered).flatMap(Object.values);

const flags = Object.fromEntries(  // Defaults by name.
    [...run(server, '--help').stdout.matchAll(/^ *--(\w+) \(default (.*?)\)/gm)]
        .map(([, name, value]) => [name, value]));
const portOf = flag => Number(flags[flag].split(':').at(-1));

const podOf = set => rendered[set]['Deployment sittuyin'].spec.template.spec;
const containerOf = set => podOf(set).containers[0];
const envOf = set => Object.fromEntries(
    containerOf(set).env.map(({name, value}) => [name, value]));
const settingOf = (set, flag) =>
    envOf(set)[`SITTUYIN_${flag.toUpperCase()}`] ?? flags[flag];

function forEachSet(check) {
  for (const set of Object.keys(SETS)) it(set, () => check(set));
}

describe('Helm renders what kustomize does', () => {
  forEachSet(set => {
    assert.deepEqual(objects(helmTemplate(...valueFiles(set))), rendered[set]);
  });
});

describe('objects are of their types', () => {
  const edits = {
    'a typo in a probe': o => {
      const probe = o['Deployment sittuyin'].spec.template.spec.containers[0]
          .livenessProbe;
      probe.periodSecond = 10;
    },
    'text for a port': o => {
      o['Service sittuyin-rest'].spec.ports[0].port = '8080';
    },
    'a number for a quantity': o => {
      o['Deployment sittuyin'].spec.template.spec.containers[0]
          .resources.limits.cpu = 3;
    },
    'no selector': o => delete o['Deployment sittuyin'].spec.selector,
    'an unknown kind of metric target': o => {
      o['HorizontalPodAutoscaler sittuyin'].spec.metrics[0].target = {value: 1};
    },
    'a typo in the behavior of KEDA\'s autoscaler': o => {
      o['ScaledObject sittuyin'].spec.advanced.horizontalPodAutoscalerConfig
          .behavior.scaleDown.polices = [];
    },
    'a number for KEDA\'s threshold': o => {
      o['ScaledObject sittuyin'].spec.triggers[0].metadata.threshold = 0.1;
    },
    'an unknown path match': o => {
      o['HTTPRoute sittuyin'].spec.rules[0].matches[0].path.type = 'Prefix';
    },
    'no issuer': o => delete o['Certificate sittuyin'].spec.issuerRef,
  };
  const all = () =>
      structuredClone(Object.assign({}, ...Object.values(rendered)));
  const typos = everything.map(object => {
    const copy = structuredClone(object);
    copy.spec.unknown = 1;
    return copy;
  });
  const edited = Object.values(edits).map(edit => {
    const copy = all();
    edit(copy);
    return Object.values(copy);
  });
  const found = faults([...everything, ...typos, ...edited.flat()]);

  it('as they are', () => {
    assert.deepEqual(found.splice(0, everything.length).flat(), []);
  });
  it('but not with an unknown field in any spec', () => {
    for (const [i, fault] of found.splice(0, typos.length).entries()) {
      assert.match(fault.join(), /'"unknown"' does not exist/, typos[i].kind);
    }
  });
  for (const [i, name] of Object.keys(edits).entries()) {
    it(`but not with ${name}`, () => {
      assert.notDeepEqual(found.splice(0, edited[i].length).flat(), []);
    });
  }
});

describe('pods pass Pod Security "restricted"', () => {
  forEachSet(set => {
    const pod = podOf(set);
    for (const host of ['hostNetwork', 'hostPID', 'hostIPC']) {
      assert.equal(pod[host], undefined);
    }
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.ok(pod.securityContext.runAsUser > 0);
    assert.deepEqual(pod.securityContext.seccompProfile,
                     {type: 'RuntimeDefault'});
    for (const volume of pod.volumes ?? []) {
      assert.deepEqual(Object.keys(volume).sort(), ['name', 'secret']);
    }
    assert.equal(pod.initContainers, undefined);
    for (const container of pod.containers) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: {drop: ['ALL']},
      });
      assert.ok(container.ports.every(port => port.hostPort === undefined));
    }
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.enableServiceLinks, false);
  });
});

describe('the server takes the settings', () => {
  forEachSet(set => {
    const names = Object.keys(flags).map(f => `SITTUYIN_${f.toUpperCase()}`);
    for (const name of Object.keys(envOf(set))) assert.ok(names.includes(name));
    const env = Object.entries(envOf(set)).map(([k, v]) => `${k}=${v}`);
    const {status, stderr} = run('env', ...env, server, '--version');
    assert.equal(status, 0, stderr);
    assert.equal(containerOf(set).args, undefined);
    assert.equal(containerOf(set).command, undefined);
  });
  it('and the chart\'s schema knows its flags', () => {
    const schema = JSON.parse(
        fs.readFileSync(`${CHART}/values.schema.json`, 'utf8'));
    const chartSets = /^(grpc|rest|admin)_address$|^(tls_.*|token)_file$/;
    const chartLeavesOut = ['help', 'version'];
    assert.deepEqual(
        Object.keys(schema.properties.flags.properties).sort(),
        Object.keys(flags).filter(flag => !chartSets.test(flag) &&
                                  !chartLeavesOut.includes(flag)).sort());
  });
});

describe('resources suffice', () => {
  const MIB = 1 << 20;
  const bytes = quantity => {
    const [, number, unit] = quantity.match(/^(\d+)([MG])i$/);
    return Number(number) * {M: MIB, G: 1024 * MIB}[unit];
  };
  const cores = quantity => quantity.endsWith('m') ?
      Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
  const seconds = duration => Number(duration.match(/^([\d.]+)s$/)[1]);

  describe('memory for the tables and all that README.md counts', () => {
    forEachSet(set => {
      const limit = bytes(containerOf(set).resources.limits.memory);
      const tables = MIB * Number(settingOf(set, 'hash_mb')) *
          Number(settingOf(set, 'search_workers'));
      assert.ok(tables > 0 && tables <= limit / 2);
      const rest = (80 + 64) * 1024 *
          Number(settingOf(set, 'rest_connections'));
      assert.ok(tables + (50 + 256) * MIB + rest <= limit);
    });
  });
  describe('a core beside the search workers', () => {
    forEachSet(set => {
      assert.ok(cores(containerOf(set).resources.limits.cpu) >=
                Number(settingOf(set, 'search_workers')) + 1);
    });
  });
  describe('time to drain', () => {
    forEachSet(set => {
      assert.ok(podOf(set).terminationGracePeriodSeconds >=
                seconds(settingOf(set, 'drain_delay')) +
                seconds(settingOf(set, 'drain_timeout')) + 5);
      assert.equal(containerOf(set).lifecycle, undefined);
    });
  });
  describe('time for clients to ask for the new addresses', () => {
    forEachSet(set => {
      assert.ok(rendered[set]['Deployment sittuyin'].spec.minReadySeconds >
                1.1 * seconds(settingOf(set, 'max_connection_age')));
    });
  });
  it('searches alone reach the processor time that scales', () => {
    const hpa = rendered.production['HorizontalPodAutoscaler sittuyin'];
    const target = hpa.spec.metrics.find(({type}) => type === 'Resource')
        .resource.target.averageUtilization;
    const busy = 100 * Number(settingOf('production', 'search_workers')) /
        cores(containerOf('production').resources.requests.cpu);
    assert.ok(target < busy, `${target} % of ${busy} %`);
  });
});

describe('objects find each other', () => {
  const selectors = {
    Deployment: o => o.spec.selector.matchLabels,
    NetworkPolicy: o => o.spec.podSelector.matchLabels,
    PodDisruptionBudget: o => o.spec.selector.matchLabels,
    Service: o => o.spec.selector,
  };
  describe('selectors', () => {
    forEachSet(set => {
      const {labels} =
          rendered[set]['Deployment sittuyin'].spec.template.metadata;
      for (const object of Object.values(rendered[set])) {
        assert.equal(object.metadata.namespace, 'sittuyin');
        const selector = selectors[object.kind];
        if (selector) assert.deepEqual(selector(object), labels, object.kind);
      }
      for (const spread of podOf(set).topologySpreadConstraints) {
        assert.deepEqual(spread.labelSelector.matchLabels, labels);
      }
    });
  });
  describe('ports, and the admin door is in no public Service', () => {
    forEachSet(set => {
      const ports = Object.fromEntries(
          containerOf(set).ports.map(p => [p.name, p.containerPort]));
      assert.deepEqual(ports, {
        grpc: portOf('grpc_address'),
        rest: portOf('rest_address'),
        admin: portOf('admin_address'),
      });
      for (const object of Object.values(rendered[set])) {
        if (object.kind !== 'Service') continue;
        const {spec} = object;
        assert.equal(spec.ports.length, 1);
        const [{name, port, targetPort}] = spec.ports;
        assert.equal(object.metadata.name, `sittuyin-${name}`);
        assert.equal(targetPort, name);
        assert.equal(port, ports[name]);
        assert.equal(spec.clusterIP, name === 'rest' ? undefined : 'None');
        assert.ok([undefined, 'ClusterIP'].includes(spec.type));
        assert.equal(spec.externalIPs, undefined);
      }
      for (const kind of ['GRPCRoute', 'HTTPRoute']) {
        const rules = rendered[set][`${kind} sittuyin`]?.spec.rules ?? [];
        for (const {name, port} of rules.flatMap(rule => rule.backendRefs)) {
          assert.equal(rendered[set][`Service ${name}`].spec.ports[0].port,
                       port);
          assert.notEqual(name, 'sittuyin-admin');
        }
      }
      for (const probe of ['startupProbe', 'readinessProbe']) {
        const {grpc, httpGet} = containerOf(set)[probe];
        const secure = 'SITTUYIN_TLS_CERT_FILE' in envOf(set);
        assert.deepEqual(grpc, secure ? undefined : {
          port: ports.grpc, service: 'sittuyin.v1.SittuyinService'});
        assert.deepEqual(httpGet, secure ? {path: '/readyz', port: 'admin'} :
                                           undefined);
      }
      assert.deepEqual(containerOf(set).livenessProbe.httpGet,
                       {path: '/livez', port: 'admin'});
    });
  });
  it('routes have host names of their own', () => {
    const {spec: grpc} = rendered.production['GRPCRoute sittuyin'];
    const {spec: http} = rendered.production['HTTPRoute sittuyin'];
    assert.ok(!grpc.hostnames.some(host => http.hostnames.includes(host)));
  });
  it('tokens', () => {
    const [{name, secret}] = podOf('production-tokens').volumes;
    const [mount] = containerOf('production-tokens').volumeMounts;
    assert.equal(mount.name, name);
    assert.equal(secret.secretName, 'sittuyin-tokens');
    assert.equal(envOf('production-tokens').SITTUYIN_TOKEN_FILE,
                 `${mount.mountPath}/tokens`);
    // The kubelet has none.
    assert.equal(settingOf('production-tokens', 'health_needs_credentials'),
                 'false');
  });
  it('certificates and tokens go together', () => {
    const made = objects(helmTemplate(...valueFiles('production-mtls'),
                                      '--set', 'tokens.secret=t'));
    const {volumes, containers} =
        made['Deployment sittuyin'].spec.template.spec;
    assert.deepEqual(volumes.map(({secret}) => secret.secretName),
                     ['sittuyin-tls', 't']);
    assert.deepEqual(containers[0].volumeMounts.map(({mountPath}) => mountPath),
                     ['/etc/sittuyin/tls', '/etc/sittuyin/tokens']);
  });
  it('certificates', () => {
    const pod = podOf('production-mtls');
    const {spec} = rendered['production-mtls']['Certificate sittuyin'];
    assert.deepEqual(pod.volumes.map(v => v.secret.secretName),
                     [spec.secretName]);
    const [{mountPath}] = containerOf('production-mtls').volumeMounts;
    const files = Object.entries(envOf('production-mtls'))
        .filter(([name]) => name.startsWith('SITTUYIN_TLS_'))
        .map(([, file]) => path.relative(mountPath, file));
    assert.deepEqual(files.sort(), ['ca.crt', 'tls.crt', 'tls.key']);
    for (const name of ['sittuyin-grpc', 'sittuyin-rest']) {
      assert.ok(spec.dnsNames.includes(`${name}.sittuyin.svc`));
    }
  });
  it('nobody but the named gets in, and nothing gets out', () => {
    for (const set of Object.keys(SETS)) {
      const policy = rendered[set]['NetworkPolicy sittuyin'];
      if (set === 'dev') {
        assert.equal(policy, undefined);
        continue;
      }
      assert.deepEqual(policy.spec.policyTypes, ['Ingress', 'Egress']);
      assert.equal(policy.spec.egress, undefined);
      for (const {from, ports} of policy.spec.ingress) {
        assert.ok(from.length > 0 && ports.length > 0);
        const names = ports.map(({port}) => port);
        assert.ok(!names.includes('admin') || names.length === 1);
        // The gateway gets in where there is a route.
        assert.ok(!JSON.stringify(from).includes('"gateway"') ||
                  'HTTPRoute sittuyin' in rendered[set]);
      }
    }
  });
});

describe('autoscaling', () => {
  const adapter = yaml.parse(fs.readFileSync(
      'deploy/kubernetes/components/hpa/prometheus-adapter.yaml', 'utf8'));
  const rules = adapter.rules.custom;
  const prometheusTriggers =
      rendered['production-keda']['ScaledObject sittuyin'].spec.triggers
          .filter(({type}) => type === 'prometheus');
  const ofPod = rules.map(
      rule => rule.metricsQuery
          .replaceAll('<<.LabelMatchers>>', 'namespace="sittuyin",pod=~"a|b"')
          .replaceAll('<<.GroupBy>>', 'pod'));
  const ofAll = prometheusTriggers.map(({metadata}) => metadata.query);

  it('reads what the adapter gives', () => {
    const hpa = rendered.production['HorizontalPodAutoscaler sittuyin'];
    assert.deepEqual(
        hpa.spec.metrics.filter(({type}) => type === 'Pods')
            .map(({pods}) => pods.metric.name),
        rules.map(rule => rule.name.as));
  });
  it('has the same targets by KEDA', () => {
    const {metrics, behavior, minReplicas, maxReplicas} =
        rendered.production['HorizontalPodAutoscaler sittuyin'].spec;
    const {spec} = rendered['production-keda']['ScaledObject sittuyin'];
    assert.deepEqual(
        spec.triggers.map(({metadata}) => metadata.threshold ?? metadata.value),
        metrics.map(({pods, resource}) => resource ?
            `${resource.target.averageUtilization}` :
            `${parseInt(pods.target.averageValue, 10) / 1000}`));
    assert.deepEqual([spec.minReplicaCount, spec.maxReplicaCount],
                     [minReplicas, maxReplicas]);
    assert.deepEqual(spec.advanced.horizontalPodAutoscalerConfig.behavior,
                     behavior);
  });
  it('queries metrics of README.md, which the server has', () => {
    const told = [...fs.readFileSync('README.md', 'utf8')
                      .matchAll(/^\| `(sittuyin_\w+)` \|/gm)].map(([, n]) => n);
    const asked = [...rules.map(rule => rule.seriesQuery), ...ofPod, ...ofAll]
        .flatMap(query => query.match(/sittuyin_\w+(?=\{)/g));
    assert.equal(asked.length, 2 + 2 * 2 + 2 * 2);
    for (const name of asked) {
      assert.ok(told.includes(name.replace(/_(sum|count)$/, '')), name);
    }
  });
  it('queries the queue time and the busy share', () => {
    // Pod a: a search a second that waits half a second, one of two workers
    // busy. Pod b: nothing.
    const labels = (pod, more = '') =>
        `{namespace="sittuyin",job="sittuyin",pod="${pod}"${more}}`;
    const series = (name, values) => ({series: name, values});
    const sample = (expr, expected) => ({
      expr, eval_time: '5m',
      exp_samples: expected.map(([pod, value]) => ({
        labels: pod ? `{pod="${pod}"}` : '{}', value}))});
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sittuyin-'));
    const file = path.join(folder, 'queries.yaml');
    fs.writeFileSync(file, yaml.stringify({tests: [{
      interval: '15s',
      input_series: [
        series(`sittuyin_search_queue_seconds_sum${labels('a')}`, '0+7.5x40'),
        series(`sittuyin_search_queue_seconds_count${labels('a')}`, '0+15x40'),
        series(`sittuyin_search_queue_seconds_sum${labels('b')}`, '0x40'),
        series(`sittuyin_search_queue_seconds_count${labels('b')}`, '0x40'),
        ...['a', 'b'].flatMap(pod => [
          series(`sittuyin_search_workers${labels(pod, ',state="busy"')}`,
                 pod === 'a' ? '1x40' : '0x40'),
          series(`sittuyin_search_workers${labels(pod, ',state="idle"')}`,
                 pod === 'a' ? '1x40' : '2x40')])],
      promql_expr_test: [
        sample(ofPod[0], [['a', 0.5], ['b', 0]]),
        sample(ofPod[1], [['a', 0.5], ['b', 0]]),
        sample(ofAll[0], [['', 0.5]]),
        sample(ofAll[1], [['', 0.25]])],
    }]}));
    const done = run('promtool', 'test', 'rules', file);
    fs.rmSync(folder, {recursive: true});
    assert.equal(done.status, 0, done.stderr + done.stdout);
  });
});

describe('the chart', () => {
  it('passes lint', () => {
    for (const set of Object.keys(SETS)) {
      const done = helm('lint', '--strict', CHART, ...valueFiles(set));
      assert.equal(done.status, 0, done.stdout + done.stderr);
    }
  });
  const refused = {
    'flags.serch_workers=1': /serch_workers is not allowed/,
    'flags.tls_key_file=x': /tls_key_file is not allowed/,
    'replicas=many': /replicas: Invalid type/,
    'image.repository=': /image.repository: String length/,
    'resources.limits.cpu=two': /resources.limits.cpu: Does not match/,
    'autoscaling.by=luck': /autoscaling.by/,
    'tls.issuer.name=a,tls.issuer.kind=Issuer': /tls.secret: String length/,
    'networkPolicy.callers[0].podSelectr.x=1': /podSelectr is not allowed/,
    'extraEnv[0].key=OTEL_SDK_DISABLED': /extraEnv.0: name is required/,
    'extraEnv[0].name=SITTUYIN_SEARCH_WORKERS': /extraEnv.0.name: Must not/,
    'extraEnv[0].name=bad name': /extraEnv.0.name: Does not match/,
    'extraEnv[0].name=A,extraEnv[0].value=a,extraEnv[0].valueFrom.fieldRef=b':
        /extraEnv.0: Must validate one and only one/,
    'podAnnotations.a=1': /podAnnotations.a: Invalid type/,
    'nodeSelector.a=1': /nodeSelector.a: Invalid type/,
    'tolerations=all': /tolerations: Invalid type/,
    'colour=red': /colour is not allowed/,
  };
  for (const [values, reason] of Object.entries(refused)) {
    it(`refuses ${values}`, () => {
      const done = helmTemplate('--set', values);
      assert.notEqual(done.status, 0);
      assert.match(done.stderr, reason);
    });
  }
  it('passes all kinds of values to the server', () => {
    const made = objects(helmTemplate(
        '--set', 'flags.burst=7000000,flags.health_needs_credentials=true',
        '--set-string', 'flags.drain_delay=7s', '--set', 'replicas=3'));
    const {spec} = made['Deployment sittuyin'];
    assert.equal(spec.replicas, 3);
    assert.deepEqual(spec.template.spec.containers[0].env, [
      {name: 'SITTUYIN_BURST', value: '7000000'},
      {name: 'SITTUYIN_DRAIN_DELAY', value: '7s'},
      {name: 'SITTUYIN_HEALTH_NEEDS_CREDENTIALS', value: 'true'},
      {name: 'SITTUYIN_SEARCH_WORKERS', value: '1'},
    ]);
  });
  it('puts pods where they are to run, with more environment', () => {
    const env = {name: 'OTEL_SERVICE_NAME', value: 'sittuyin'};
    const pod = {
      affinity: {podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: 'kubernetes.io/hostname'}]}},
      nodeSelector: {'kubernetes.io/arch': 'amd64'},
      priorityClassName: 'players',
      tolerations: [{key: 'games', operator: 'Exists'}],
    };
    const podAnnotations = {'linkerd.io/inject': 'enabled'};
    const values = {extraEnv: [env], podAnnotations, ...pod};
    const made = objects(helmTemplate(
        ...Object.entries(values).map(
            ([name, value]) => `--set-json=${name}=${JSON.stringify(value)}`)));
    const {metadata, spec} = made['Deployment sittuyin'].spec.template;
    assert.deepEqual(metadata.annotations, podAnnotations);
    for (const [field, value] of Object.entries(pod)) {
      assert.deepEqual(spec[field], value);
    }
    assert.deepEqual(spec.containers[0].env.at(-1), env);
    assert.deepEqual(faults([made['Deployment sittuyin']]), [[]]);
  });
  it('names its objects after the release', () => {
    const made = objects(helm('template', 'other', CHART, '-n', 'elsewhere',
                              ...valueFiles('production-mtls')));
    assert.ok(!Object.values(made).some(
        ({metadata}) => metadata.name.startsWith('sittuyin') ||
            metadata.namespace !== 'elsewhere'));
    assert.ok(made['Certificate other'].spec.dnsNames
                  .includes('other-grpc.elsewhere.svc'));
  });
  it('makes one PrometheusRule of the files in rules/', () => {
    const alert = name => ({
      alert: name, expr: 'up == 0', for: '5m', labels: {severity: 'page'},
      annotations: {summary: '{{ $labels.pod }} is down'}});
    const files = ['A', 'B'].map(
        name => ({groups: [{name, rules: [alert(name)]}]}));
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sittuyin-'));
    fs.cpSync(CHART, folder, {
      recursive: true,
      filter: source => path.basename(source) !== 'rules',  // A link.
    });
    fs.mkdirSync(path.join(folder, 'rules'));
    for (const [i, file] of files.entries()) {
      fs.writeFileSync(path.join(folder, `rules/${i}.yaml`),
                       yaml.stringify(file));
    }
    const made = objects(helm('template', 'sittuyin', folder,
                              '--set', 'monitoring.enabled=true'));
    fs.rmSync(folder, {recursive: true});
    const rule = made['PrometheusRule sittuyin'];
    assert.deepEqual(rule.spec.groups, files.flatMap(({groups}) => groups));
    assert.deepEqual(faults([rule]), [[]]);
  });
  it('is of the project\'s version', () => {
    const [, version] = fs.readFileSync('CMakeLists.txt', 'utf8')
        .match(/project\(sittuyin VERSION (\S+)/);
    const chart = yaml.parse(fs.readFileSync(`${CHART}/Chart.yaml`, 'utf8'));
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
    assert.equal(containerOf('production').image, `sittuyin:${version}`);
  });
});
