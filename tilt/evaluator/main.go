// Evaluates a Tiltfile where Tilt is not installed: Starlark's own interpreter, with Tilt's built-ins
// declared as Tilt declares them. Commands and charts are run, what would be deployed is written down.
//
//	evaluator TILTFILE CONTEXT
//
// Prints one JSON document: {"error": "…"}, or what was declared, in the order of its declaration.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dialect is Tilt's: statements at the top level, and names that may be bound again.
var dialect = &syntax.FileOptions{
	Set: true, TopLevelControl: true, GlobalReassign: true, LoadBindsGlobally: false,
}

type evaluation struct {
	mainFile string
	context  string
	builtins starlark.StringDict
	loaded   map[string]starlark.StringDict
	declared *declared
}

func main() {
	mainFile, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	e := &evaluation{
		mainFile: mainFile,
		context:  os.Args[2],
		loaded:   map[string]starlark.StringDict{},
		declared: newDeclared(),
	}
	e.builtins = e.declareBuiltins()
	_, err = e.execute(mainFile)
	if err == nil {
		err = e.declared.check()
	}
	var answer any = e.declared
	if err != nil {
		answer = map[string]string{"error": plain(err)}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		panic(err)
	}
}

// execute runs one file, once; loads are found from the folder of the file that names them.
func (e *evaluation) execute(path string) (starlark.StringDict, error) {
	if globals, ok := e.loaded[path]; ok {
		return globals, nil
	}
	thread := &starlark.Thread{Name: path}
	thread.Load = func(_ *starlark.Thread, name string) (starlark.StringDict, error) {
		return e.execute(filepath.Join(filepath.Dir(path), name))
	}
	globals, err := starlark.ExecFileOptions(dialect, thread, path, nil, e.builtins)
	e.loaded[path] = globals
	return globals, err
}

// plain is what fail() was told; any other error comes with the place where it arose.
func plain(err error) string {
	var failed failure
	if errors.As(err, &failed) {
		return failed.Error()
	}
	var evaluated *starlark.EvalError
	if errors.As(err, &evaluated) {
		return evaluated.Backtrace()
	}
	return fmt.Sprint(err)
}
