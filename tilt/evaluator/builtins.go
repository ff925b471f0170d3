package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

type failure struct{ text string }

func (f failure) Error() string { return f.text }

// arguments of one call, by the names that Tilt gives them.
type arguments map[string]starlark.Value

func (a arguments) text(name string) string {
	text, _ := starlark.AsString(a[name])
	return text
}

func (a arguments) texts(name string) []string {
	switch value := a[name].(type) {
	case starlark.String:
		return []string{string(value)}
	case starlark.Iterable:
		var all []string
		for one := range starlark.Elements(value) {
			text, _ := starlark.AsString(one)
			all = append(all, text)
		}
		return all
	}
	return nil
}

// declare makes a built-in of these parameters and no others; "?" ends what may be left out.
func declare(name, parameters string, run func(arguments) (starlark.Value, error)) *starlark.Builtin {
	names := strings.Fields(parameters)
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		values := make([]starlark.Value, len(names))
		pairs := make([]any, 0, 2*len(names))
		for n, parameter := range names {
			pairs = append(pairs, parameter, &values[n])
		}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, pairs...); err != nil {
			return nil, err
		}
		given := arguments{}
		for n, parameter := range names {
			if values[n] != nil {
				given[strings.TrimSuffix(parameter, "?")] = values[n]
			}
		}
		return run(given)
	})
}

// recorded notes the call and returns it as a value, so that it can stand in another one's arguments.
func (e *evaluation) recorded(name, parameters string) *starlark.Builtin {
	return declare(name, parameters, func(given arguments) (starlark.Value, error) {
		call := starlark.NewDict(len(given) + 1)
		if err := call.SetKey(starlark.String("call"), starlark.String(name)); err != nil {
			return nil, err
		}
		for parameter, value := range given {
			if err := call.SetKey(starlark.String(parameter), value); err != nil {
				return nil, err
			}
		}
		return call, e.declared.add(name, call)
	})
}

func (e *evaluation) declareBuiltins() starlark.StringDict {
	root := filepath.Dir(e.mainFile)
	all := starlark.StringDict{
		"config": starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
			"main_dir": starlark.String(root), "main_path": starlark.String(e.mainFile),
		}),
		"TRIGGER_MODE_AUTO":   starlark.String("auto"),
		"TRIGGER_MODE_MANUAL": starlark.String("manual"),
	}
	for _, builtin := range []*starlark.Builtin{
		e.recorded("allow_k8s_contexts", "contexts"),
		e.recorded("docker_build", "ref context build_args? dockerfile? dockerfile_contents? live_update? match_in_env_vars? ignore? only? entrypoint? target? ssh? network? secret? extra_tag? container_args? cache_from? pull? platform? extra_hosts?"),
		e.recorded("fall_back_on", "paths"),
		e.recorded("sync", "local_path remote_path"),
		e.recorded("run", "cmd trigger? echo_off?"),
		e.recorded("port_forward", "local_port container_port? name? link_path? host?"),
		e.recorded("k8s_resource", "workload? new_name? port_forwards? extra_pod_selectors? trigger_mode? resource_deps? objects? auto_init? pod_readiness? links? labels? discovery_strategy?"),
		e.recorded("local_resource", "name cmd? deps? trigger_mode? resource_deps? ignore? auto_init? serve_cmd? cmd_bat? serve_cmd_bat? allow_parallel? links? labels? env? serve_env? readiness_probe? dir? serve_dir?"),
		e.recorded("watch_file", "file_path"),
		declare("k8s_context", "", func(arguments) (starlark.Value, error) { return starlark.String(e.context), nil }),
		declare("k8s_namespace", "", func(arguments) (starlark.Value, error) { return starlark.String("default"), nil }),
		declare("fail", "msg", func(given arguments) (starlark.Value, error) { return nil, failure{given.text("msg")} }),
		declare("local", "command quiet? command_bat? echo_off? env? dir? stdin?", e.local),
		declare("helm", "pathToChartDir name? namespace? values? set? kube_version? skip_crds?", e.helm),
		declare("k8s_yaml", "yaml allow_duplicates?", e.declared.addObjects),
		declare("read_file", "file_path default?", func(given arguments) (starlark.Value, error) {
			bytes, err := os.ReadFile(given.text("file_path"))
			return starlark.String(bytes), err
		}),
		declare("read_yaml", "path default?", func(given arguments) (starlark.Value, error) {
			bytes, err := os.ReadFile(given.text("path"))
			if err != nil {
				return nil, err
			}
			all, err := decodeStream(string(bytes))
			if err != nil {
				return nil, err
			}
			return all.Index(0), nil
		}),
		declare("decode_yaml_stream", "yaml", func(given arguments) (starlark.Value, error) {
			return decodeStream(given.text("yaml"))
		}),
		declare("encode_yaml_stream", "objs", func(given arguments) (starlark.Value, error) {
			return encodeStream(given["objs"])
		}),
	} {
		all[builtin.Name()] = builtin
	}
	return all
}

func (e *evaluation) local(given arguments) (starlark.Value, error) {
	command := given.texts("command")
	if _, isText := given["command"].(starlark.String); isText {
		command = append([]string{"/bin/sh", "-c"}, command...)
	}
	return e.run(command, given)
}

func (e *evaluation) helm(given arguments) (starlark.Value, error) {
	command := []string{"helm", "template", given.text("name"), given.text("pathToChartDir"), "--namespace", given.text("namespace")}
	for _, file := range given.texts("values") {
		command = append(command, "--values", file)
	}
	for _, setting := range given.texts("set") {
		command = append(command, "--set", setting)
	}
	return e.run(command, arguments{})
}

func (e *evaluation) run(command []string, given arguments) (starlark.Value, error) {
	process := exec.Command(command[0], command[1:]...)
	process.Dir = filepath.Dir(e.mainFile)
	process.Env = os.Environ()
	if env, ok := given["env"].(*starlark.Dict); ok {
		for _, pair := range env.Items() {
			name, _ := starlark.AsString(pair[0])
			value, _ := starlark.AsString(pair[1])
			process.Env = append(process.Env, name+"="+value)
		}
	}
	said := &strings.Builder{}
	process.Stderr = said
	bytes, err := process.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, said)
	}
	return starlark.String(bytes), nil
}
